### Français.

## Cadre
footer = Protégé par { $tenant }
title-error = Erreur :
legal-policy = Politique de confidentialité
legal-terms = Conditions d’utilisation
continue = Continuer
continue-app = Continuer vers { $app }
back-to-signin = Retour à la connexion

## Connexion
signin-title = Se connecter
signin-to = pour continuer vers { $app }
signin-submit = Se connecter
sso-lead = Continuez avec { $name }. C’est là que se connectent les personnes de votre organisation.
sso-alone = Aucun autre moyen de se connecter n’est accepté ici pour votre organisation.
sso-continue = Continuer
sso-address = Adresse e-mail professionnelle
sso-link = Se connecter avec l’authentification unique
social-title = Autres moyens de connexion
social-continue = Continuer avec { $name }
email-otp-link = Recevoir un code par e-mail
email-otp-address = Adresse e-mail
email-otp-send = Envoyer le code
email-otp-sent = Si un compte a ici l’adresse { $address }, un code y a été envoyé.
email-otp-label = Code reçu par e-mail
email-otp-resend = Envoyer un nouveau code
email-otp-other = Utiliser une autre adresse
magic-link-link = Recevoir un lien de connexion par e-mail
magic-link-send = Envoyer le lien
magic-link-sent = Si un compte a ici l’adresse { $address }, un lien y a été envoyé. Ouvrez-le dans ce navigateur.
magic-link-resend = Envoyer un nouveau lien
magic-link-title = Se connecter
magic-link-text = Se connecter en tant que { $email } ?
sms-link = Recevoir un code sur votre téléphone
sms-number = Numéro de téléphone
sms-number-hint = Avec l’indicatif du pays, par exemple +33 1 99 00 12 34.
sms-send = Envoyer le code
sms-second = Envoyer un code sur mon téléphone
sms-sent = Si un compte a ici le numéro { $number }, un code y a été envoyé.
sms-sent-second = Un code a été envoyé sur votre téléphone, dont le numéro se termine par { $end }.
sms-label = Code reçu par SMS
sms-resend = Envoyer un nouveau code
sms-other = Utiliser un autre numéro
signin-forgot = Mot de passe oublié ?
signin-narrowed = Seuls les moyens de connexion de cette page sont acceptés ici.
signin-none-accepted = Aucun moyen de connexion accepté ici n’est proposé. Adressez-vous à un administrateur.
passkey-or = ou
passkey-submit = Se connecter avec une clé d’accès
passkey-second = Utiliser une clé d’accès ou de sécurité
passkey-cancelled = Aucune clé d’accès n’a été utilisée. Réessayez ou connectez-vous autrement.
passkey-failed = La clé d’accès n’a pas pu être utilisée ici. Réessayez ou connectez-vous autrement.
passkey-not-made = Aucune clé d’accès n’a été créée. Réessayez ou choisissez un autre moyen.
passkey-not-able = Cet appareil ne peut pas créer de clé d’accès valable ici. Choisissez un autre moyen ou utilisez un autre appareil.
passkey-needs-script = Les clés d’accès et de sécurité nécessitent un navigateur avec JavaScript.
signin-register-ask = Nouveau ici ?
signin-register = Créer un compte
username-label = E-mail ou nom d’utilisateur
email-label = E-mail
name-label = Nom complet
password-label = Mot de passe
password-show = Afficher le mot de passe
strength-label = Robustesse du mot de passe
strength-weak = Faible
strength-fair = Moyen
strength-good = Bon
strength-strong = Fort
password-hint = { $count ->
    [one] Au moins { $count } caractère.
   *[other] Au moins { $count } caractères. Plusieurs mots sans rapport conviennent bien.
}

## Vérification en deux étapes
second-title = Confirmez que c’est vous
totp-label = Code de votre application d’authentification
totp-submit = Confirmer
backup-code-more = Utiliser plutôt un code de secours
backup-code-label = Code de secours
trust-browser = { $count ->
    [one] Ne plus demander dans ce navigateur pendant { $count } jour
   *[other] Ne plus demander dans ce navigateur pendant { $count } jours
}
set-up-passkey-why = { $tenant } demande plus que ce que vous avez prouvé jusqu’ici. Avec une clé d’accès, vous vous connecterez désormais avec votre empreinte, votre visage ou votre code.
set-up-totp-why = { $tenant } demande une seconde preuve de votre identité. Une application d’authentification sur votre téléphone affiche un nouveau code toutes les 30 secondes.
set-up-totp-begin = Configurer une application
set-up-totp-scan = Scannez cette image avec l’application.
set-up-totp-picture = Code QR avec la clé pour votre application
set-up-totp-key = Vous ne pouvez pas la scanner ? Saisissez cette clé dans l’application :
set-up-totp-code = Code affiché par l’application
set-up-totp-submit = Activer

## Inscription
register-title = Créer votre compte
register-submit = Créer le compte
register-signin-ask = Vous avez déjà un compte ?
register-signin = Se connecter
sent-title = Consultez votre messagerie
sent-hint = Toujours rien après quelques minutes ? Regardez dans vos courriers indésirables ou réessayez.
register-sent-text = Nous avons envoyé un message à { $email }. Ouvrez le lien qu’il contient pour terminer la création de votre compte.
prove-sent-text = Nous avons envoyé un message à { $email }. Ouvrez le lien qu’il contient pour confirmer que cette adresse est la vôtre. Vous pourrez ensuite continuer.

## Confirmer une adresse
verify-title = Confirmez votre e-mail
verify-text = { $email } est-elle votre adresse ?
verify-choose = Choisissez comment vous connecter en tant que { $email }.
verify-submit = Oui, confirmer
verify-passkey = Créer une clé d’accès à la place
verify-ignore = Si vous n’avez rien demandé, fermez cette page.

## Devenir membre
join-title = Rejoindre { $tenant } ?
join-text = Vous avez déjà un compte : { $account }. Il vous permet de devenir membre de { $tenant }.
join-submit = Rejoindre en tant que { $account }
join-ignore = Si vous ne voulez pas devenir membre, fermez cette page.
invite-title = Rejoindre { $organization } ?
invite-text = { $email } est invité à rejoindre { $organization } chez { $tenant }.
invite-choose = Vous recevez un compte pour cette adresse. Choisissez comment vous connecter.
invite-other = Vous êtes connecté en tant qu’une autre personne. Connectez-vous en tant que { $email } pour accepter.
invite-switch = Se connecter en tant que { $email }
invite-submit = Accepter l’invitation
invite-ignore = Si vous ne le souhaitez pas, fermez cette page. Il ne se passera rien.

## Espace du compte
account-menu = Votre compte
account-menu-open = Menu
account-skip = Passer le menu
account-overview = Votre compte
account-profile = Profil
account-password = Mot de passe
account-passkeys = Clés d’accès et de sécurité
account-identities = Comptes associés
account-second-factors = Vérification en deux étapes
account-backup-codes = Codes de secours
account-accounts = Comptes dans ce navigateur
account-sessions = Où vous êtes connecté
account-login-history = Historique des connexions
account-delegations = En votre nom
account-organizations = Organisations
account-sso = Authentification unique
account-data = Vos données
account-proven = confirmé
account-is-set = défini
account-is-not-set = non défini
account-apps = Applications d’authentification
account-count = { $count }
account-save = Enregistrer
account-profile-text = Les applications autorisées à voir votre profil voient ce que vous écrivez ici.
account-email = Adresse e-mail
account-email-text = Votre nouvelle adresse compte dès que vous avez ouvert le lien que nous y envoyons. Jusque-là, l’adresse actuelle reste.
account-phone = Numéro de téléphone
account-phone-text = Nous envoyons un code à ce numéro pour vérifier qu’il est à vous. Ensuite, vous pouvez vous connecter avec les codes qui y sont envoyés, et les utiliser quand une seconde preuve est demandée.
account-phone-label = Nouveau numéro de téléphone
account-phone-sent = Un code a été envoyé à { $number }. Le numéro compte dès que vous avez saisi le code.
new-address-label = Nouvelle adresse e-mail
new-address-mail = Envoyer le lien
new-address-title = Changer d’adresse e-mail
new-address-text = { $email } doit-elle devenir l’adresse de votre compte ?
account-password-first = Vous n’avez pas encore de mot de passe. Avec un mot de passe, vous pouvez vous connecter dans tout navigateur.
account-password-text = Dès que vous enregistrez un nouveau mot de passe, vous êtes déconnecté partout ailleurs.
given-name-label = Prénom
family-name-label = Nom de famille
nickname-label = Surnom
passkeys-text = Avec une clé d’accès, vous vous connectez avec votre empreinte, votre visage ou votre code au lieu d’un mot de passe. Elle ne vaut qu’à cette adresse : personne ne peut vous la soutirer.
passkeys-none = Vous n’avez pas encore de clé d’accès.
passkeys-add = Ajouter une clé d’accès
security-keys-add = Ajouter une clé de sécurité
security-keys-text = Une clé de sécurité est un petit appareil que vous touchez comme seconde étape lorsque vous vous connectez.
passkeys-security-key = Clé de sécurité, après le mot de passe
passkeys-synced = Copiée sur vos autres appareils
passkeys-bound = Sur un seul appareil
passkeys-elsewhere = Vaut sur { $host }, pas ici.
passkeys-present = Cet appareil a déjà une clé d’accès de votre compte.
passkeys-not-made = Aucune clé d’accès n’a été ajoutée. Réessayez quand vous serez prêt.
passkeys-not-able = Cet appareil ne peut pas créer de clé d’accès valable ici. Utilisez un autre appareil ou une clé de sécurité.
identities-text = Vous pouvez vous connecter ici avec des comptes que vous avez ailleurs. Chacun ouvre ce compte, comme vos autres moyens de connexion.
identities-none = Aucun compte n’est associé.
identities-add = Associer un compte
identities-connect = Associer { $name }
second-factors-text = Avec une application d’authentification sur votre téléphone, une première étape seule, comme un mot de passe, ne suffit pas pour se connecter à votre place.
second-factors-add = Ajouter une application
credential-name = Nom
credential-rename = Renommer
credential-remove = Supprimer
credential-added = Ajouté le { $day }
credential-used = utilisé le { $day }
credential-ends = jusqu’au { $day }
trusted-browsers = Navigateurs sans demande
trusted-browsers-forget = Redemander dans tous
backup-codes-text = Un code de secours vous laisse entrer une fois quand votre téléphone n’est pas à portée de main. Gardez les codes sur papier, loin de votre téléphone.
backup-codes-left = { $count ->
    [0] Vous n’en avez aucun.
    [one] Il vous reste { $count } code.
   *[other] Il vous reste { $count } codes.
}
backup-codes-make = Créer de nouveaux codes
backup-codes-note = Les nouveaux codes annulent les anciens.
backup-codes-once = Imprimez ou notez ces codes maintenant. Ils ne seront plus affichés.
backup-codes-copy = Copier les codes
backup-codes-copied = Les codes sont copiés.
backup-codes-print = Imprimer
backup-codes-noted = J’ai noté les codes
session-here = ce navigateur
session-unknown = Navigateur inconnu
session-since = Connexion
session-seen = vu
session-end = Se déconnecter là-bas
sessions-end-others = Se déconnecter partout ailleurs
accounts-text = Vous pouvez être connecté ici à plusieurs comptes et passer de l’un à l’autre. Chacun reste connecté jusqu’à ce que vous le déconnectiez.
accounts-present = utilisé
accounts-use = Passer à ce compte
accounts-end = Se déconnecter
accounts-add = Ajouter un autre compte
accounts-full = Ce navigateur ne peut pas contenir plus de comptes. En ajouter un déconnecte celui qui n’a pas servi depuis le plus longtemps.
accounts-end-all = Se déconnecter de tous les comptes
login-history-text = Quand et d’où quelqu’un s’est connecté à votre compte, et ce qui a échoué, pendant les trois derniers mois.
login-history-none = Personne ne s’est encore connecté depuis que cela est conservé.
login-history-not-you = L’une de ces connexions n’était pas la vôtre ?
login-success = Connecté
login-failure = Échec
login-refused = Refusé
login-disowned = Pas vous
login-when = Quand
login-with = Avec
login-from = Depuis
login-by-password = par mot de passe
login-by-code = par code
login-by-key = par clé d’accès ou clé de sécurité
login-by-organization = par votre organisation
login-by-provider = par un autre fournisseur
login-by-trusted-browser = dans un navigateur de confiance
login-new-device = Vous ne vous étiez pas encore connecté avec ce navigateur.
login-new-network = Vous ne vous étiez pas encore connecté depuis ce réseau.
login-unusual-hour = Vous ne vous connectez pas à cette heure de la journée.
login-impossible-travel = Vous vous étiez connecté peu avant depuis un lieu trop éloigné pour en être venu.
login-many-failures = Plusieurs tentatives de connexion avaient échoué en un jour.
login-disposable-address = Votre adresse est chez un fournisseur d’adresses jetables.
undo-address-title = Était-ce vous ?
undo-address-text = Le compte qui avait l’adresse { $email } en a maintenant une autre.
undo-address-yes = Si vous l’avez changée vous-même, il n’y a rien à faire : fermez cette page.
undo-address-submit = Non, rendez-moi mon adresse
undo-address-hint = Le compte retrouve alors cette adresse. Nous mettons fin à tout ce qui y est en cours, sur tous les appareils, et retirons ce qui a été ajouté en dernier. S’il a un mot de passe, vous en choisissez un nouveau.
was-this-you-title = Était-ce vous ?
was-this-you-entered = Quelqu’un s’est connecté à votre compte.
was-this-you-refused = Quelqu’un avait de quoi se connecter, par exemple votre mot de passe, et nous ne l’avons pas laissé entrer, car la connexion était trop inhabituelle.
was-this-you-yes = Si c’était vous, il n’y a rien à faire : fermez cette page.
was-this-you-no = Non, ce n’était pas moi
was-this-you-hint = Nous mettons alors fin à tout ce qui est en cours dans votre compte, sur tous les appareils. S’il a un mot de passe, vous en choisissez un nouveau.
delegations-text = Les applications et les agents qui agissent pour vous auprès d’autres services. Ce que vous arrêtez ici prend fin aussitôt, avec tout ce qui en découle.
delegations-none = Rien n’agit pour vous en ce moment.
delegation-purpose = Dans quel but :
delegation-end = Arrêter ce que { $app } fait pour vous
organizations-none = Vous n’appartenez à aucune organisation ici. Les invitations apparaissent sur cette page.
organization-roles = Vos rôles :
organization-leave = Quitter { $organization }
organization-sso = Tester l’authentification unique de { $organization }
account-sso-text = Vérifiez que les personnes de vos organisations peuvent être dirigées vers leur fournisseur. Un test lit, étape par étape, ce que le fournisseur publie. Il ne connecte personne et ne change aucun réglage.
sso-none = Aucune de vos organisations n’a encore de fournisseur.
sso-connection-on = activée
sso-connection-off = désactivée
sso-test = Tester { $name }
sso-test-usable = Les personnes peuvent être dirigées vers ce fournisseur.
sso-test-unusable = Personne ne peut encore se connecter par ce fournisseur.
sso-test-cut = Les étapes qui suivent celle qui a échoué ont été omises. Corrigez celle-ci, puis testez de nouveau.
sso-test-first-sign-in = Seule une connexion montre si le fournisseur accepte ce client et son secret, et ce qu’il dit des personnes. Une fois la connexion activée, ouvrez la page de connexion dans une fenêtre privée et choisissez l’authentification unique, avec une adresse de votre organisation.
sso-redirect-uri = URI de redirection à enregistrer auprès du fournisseur :
sso-backchannel-uri = URI de déconnexion back-channel, si le fournisseur en demande une :
sso-outcome-passed = Réussi
sso-outcome-warning = Avertissement
sso-outcome-failed = Échec
sso-step-discovery = Description du fournisseur
sso-step-issuer = Nom du fournisseur
sso-step-endpoints = Adresses
sso-step-keys = Clés
sso-step-client-auth = Authentification de ce client
sso-step-id-token = Signature des jetons d’identité
sso-step-pkce = Protection des codes (PKCE)
sso-found-described = Le fournisseur se décrit à l’adresse { $value }.
sso-found-unreachable = { $value } n’a pas pu être joint. Vérifiez que l’émetteur (issuer) de la connexion est juste et que le fournisseur est accessible depuis Internet.
sso-found-refused = Le fournisseur a répondu à { $value } par une erreur. Cherchez le bon émetteur (issuer) dans les réglages du fournisseur.
sso-found-no-document = Ce qui se trouve à { $value } ne décrit pas un fournisseur. Cherchez le bon émetteur (issuer) dans les réglages du fournisseur.
sso-found-same-issuer = Le fournisseur porte le nom indiqué dans la connexion.
sso-found-other-issuer = Le fournisseur se nomme « { $value } ». Indiquez exactement ce nom comme émetteur (issuer) de la connexion.
sso-found-endpoints = Les adresses de connexion, de jetons et de clés peuvent être appelées.
sso-found-endpoint-missing = Il manque { $value } dans la description du fournisseur. Demandez à l’administrateur du fournisseur de le publier.
sso-found-endpoint-out-of-reach = L’adresse de { $value } ne peut pas être appelée d’ici : elle doit être publique et commencer par https. Demandez à l’administrateur du fournisseur de la corriger.
sso-found-keys = Les clés à l’adresse { $value } sont lisibles.
sso-found-no-keys = Aucune clé utilisable n’a pu être lue à l’adresse { $value }. Demandez à l’administrateur du fournisseur d’y publier un jeu de clés (JWKS).
sso-found-client-auth = Le fournisseur accepte { $value }, comme le prévoit la connexion.
sso-found-other-client-auth = Le fournisseur n’accepte pas l’authentification du client qui est choisie. Choisissez l’une de celles-ci : { $value }.
sso-found-id-tokens = Le fournisseur signe les jetons d’identité avec { $value }.
sso-found-other-id-tokens = Le fournisseur ne signe les jetons d’identité d’aucune façon acceptée ici. Choisissez-y l’une de celles-ci : { $value }.
sso-found-pkce = Le fournisseur vérifie les codes avec S256.
sso-found-pkce-unsaid = Le fournisseur ne dit pas qu’il prend en charge PKCE avec S256. La connexion fonctionne malgré tout, et le défi est envoyé quand même. Activez-y PKCE si vous le pouvez.
invitation-to = Invitation à rejoindre { $organization }
invitation-join = Rejoindre { $organization }
invitation-decline = Refuser
data-text = Téléchargez ce qui est conservé sur vous ici : votre profil, vos moyens de connexion sans leurs secrets, où vous êtes connecté, ce que vous avez autorisé aux applications et vos organisations. Le fichier est en JSON, que d’autres programmes savent lire.
data-submit = Télécharger
account-deletion = Supprimer votre compte
deletion-text = Vous êtes immédiatement déconnecté partout. { $count ->
    [0] Votre compte disparaît alors, avec tout ce qu’il contient.
    [one] Pendant un jour, vous pouvez garder votre compte : connectez-vous ici et choisissez « Garder mon compte ». Se connecter ne suffit pas. Ensuite il disparaît avec tout son contenu.
   *[other] Pendant { $count } jours, vous pouvez garder votre compte : connectez-vous ici et choisissez « Garder mon compte ». Se connecter ne suffit pas. Ensuite il disparaît avec tout son contenu.
}
deletion-sure = Je veux supprimer mon compte.
deletion-submit = Supprimer mon compte
deletion-due = Votre compte sera supprimé le { $day }.
deletion-keep = Garder mon compte

## Mot de passe oublié
forgot-title = Réinitialiser le mot de passe
forgot-text = Dites-nous qui vous êtes et nous vous enverrons un lien pour choisir un nouveau mot de passe.
forgot-submit = Envoyer le lien
forgot-sent-text = Si un compte correspond, un lien pour choisir un nouveau mot de passe est en route vers son adresse e-mail.
reset-title = Choisir un nouveau mot de passe
reset-text = pour { $account }
new-password-label = Nouveau mot de passe
reset-submit = Enregistrer

## Consentement
consent-title = { $app } souhaite accéder à votre compte
consent-switch = Ce n’est pas vous ?
consent-allow = Autoriser
consent-deny = Ne pas autoriser
consent-note = N’autorisez cet accès que si vous faites confiance à { $app }.
consent-home = À propos de cette application
scope-openid = Savoir qui vous êtes quand vous vous connectez
scope-profile = Voir votre profil, comme votre nom et votre photo
scope-email = Voir votre adresse e-mail
scope-address = Voir votre adresse postale
scope-phone = Voir votre numéro de téléphone
scope-offline-access = Conserver cet accès en votre absence
claim-name = Voir votre nom complet
claim-given-name = Voir votre prénom
claim-family-name = Voir votre nom de famille
claim-middle-name = Voir votre deuxième prénom
claim-nickname = Voir votre surnom
claim-preferred-username = Voir votre nom d’utilisateur
claim-profile = Voir l’adresse de votre page de profil
claim-picture = Voir votre photo
claim-website = Voir l’adresse de votre site web
claim-gender = Voir votre genre
claim-birthdate = Voir votre date de naissance
claim-zoneinfo = Voir votre fuseau horaire
claim-locale = Voir votre langue
claim-updated-at = Voir quand votre profil a changé pour la dernière fois
claim-email-verified = Voir si votre adresse e-mail est confirmée
claim-phone-number-verified = Voir si votre numéro de téléphone est confirmé

## Choisir un compte
select-title = Choisir un compte
select-other = Utiliser un autre compte
organization-title = Choisir une organisation
organization-legend = Vos organisations
organization-submit = Continuer
organization-deny = Annuler
organization-none = Votre compte n’appartient encore à aucune organisation. Demandez à un administrateur de votre organisation de vous ajouter, ou utilisez un autre compte.
organization-none-named = Votre compte n’appartient pas à l’organisation que l’application demande. Utilisez un autre compte, ou revenez en arrière.

## What people are asked for
field-optional = (facultatif)
field-choose = Choisir
complete-title = Avant de continuer
complete-text = { $tenant } a besoin de ceci de votre part.
complete-later = Pas maintenant
terms-accept = J’accepte :
terms-submit = Accepter
terms-none = Vous n’avez encore accepté aucun document.
terms-version = Version :
terms-accepted = Accepté :
account-terms = Conditions
account-terms-text = Les documents que vous avez acceptés ici, et quand.
account-details = Vos informations
account-details-text = Ce que { $tenant } vous demande.

## Appareils et approbations
device-title = Connecter un appareil
device-text = Saisissez le code affiché par votre appareil.
device-code-label = Code
device-submit = Continuer
device-warning = Ne continuez que si vous avez commencé vous-même, sur un appareil qui est devant vous. Personne qui propose de l’aide n’a besoin d’un code de votre part.
approvals-title = En attente de votre approbation
approvals-none = Rien ne vous attend.
approvals-warning = N’autorisez que ce que vous avez commencé vous-même, et seulement si tout correspond à ce que vous voyez là-bas. Si quelqu’un vous a envoyé ici, refusez : cette personne accéderait à votre compte.
approvals-code = Votre appareil doit afficher ce code :
approvals-message = L’autre écran doit afficher ce message :
approvals-expires = Expire dans { $duration }.

## Déconnexion
signout-title = Se déconnecter ?
signout-app = { $app } demande à vous déconnecter.
signout-text = Vous serez déconnecté de { $tenant } dans ce navigateur.
signout-choose = De quel compte voulez-vous vous déconnecter dans ce navigateur ?
signout-submit = Se déconnecter
signout-stay = Pour rester connecté, fermez cette page.
signedout-title = Vous êtes déconnecté
signedout-text = Vous pouvez fermer cette fenêtre.
signedout-others = D’autres comptes sont encore connectés dans ce navigateur.
signedout-others-link = Afficher les comptes

## Retour à l’application
formpost-title = Presque terminé
formpost-text = Vous allez être redirigé vers l’application.

## Erreurs et avis des formulaires
error-wrong-credentials = Le nom d’utilisateur ou le mot de passe est incorrect. Réessayez.
error-too-many-attempts = Trop de tentatives. Réessayez dans { $duration }.
error-unavailable-for = Le service est momentanément injoignable. Réessayez dans { $duration }.
error-locked-out = Trop de tentatives. Attendez { $duration } ou réinitialisez votre mot de passe.
error-code-wrong = Ce code est faux, trop ancien ou déjà utilisé. Attendez le suivant et réessayez.
error-app-lost = La clé de votre application d’authentification est perdue ici, et ses codes ne fonctionnent plus. Connectez-vous autrement, par exemple avec un code de secours, puis configurez de nouveau l’application dans votre compte et retirez l’ancienne. S’il n’y a pas d’autre moyen, adressez-vous aux responsables de ce service.
error-backup-code-wrong = Ce code de secours est faux ou déjà utilisé. Vérifiez comment il s’écrit, ou prenez-en un autre.
error-mail-code-wrong = Ce code est erroné, trop ancien ou déjà utilisé. Regardez l’e-mail le plus récent, ou faites envoyer un nouveau code.
error-sign-in-unusual = Cette connexion est trop inhabituelle pour être acceptée. Utilisez un navigateur dans lequel vous vous êtes déjà connecté, une clé d’accès, ou choisissez un nouveau mot de passe. Nous vous avons envoyé un e-mail.
error-sign-in-unusual-untold = Cette connexion est trop inhabituelle pour être acceptée. Utilisez un navigateur dans lequel vous vous êtes déjà connecté ou une clé d’accès.
error-way-not-accepted = Ce moyen de connexion n’est pas accepté ici.
error-sign-in-refused = Vous ne pouvez pas vous connecter ici pour le moment. Adressez-vous à l’organisation dont vous voulez utiliser l’application.
error-sign-in-unavailable = La connexion est impossible pour le moment. Réessayez dans un instant.
error-second-factor-out-of-reach = Cette connexion demande la vérification en deux étapes, et elle n’est pas configurée dans votre compte. Adressez-vous à l’organisation dont vous voulez utiliser l’application.
error-mail-code-not-enough = Un code ou un lien reçu par e-mail ne suffit pas pour ce compte. Connectez-vous autrement, par exemple avec une clé d’accès ou votre organisation.
error-mail-code-needs-password = Un code ou un lien reçu par e-mail ne suffit pas pour ce compte, qui n’a pas encore de mot de passe. Choisissez-en un avec « Mot de passe oublié ? », puis connectez-vous avec celui-ci.
error-text-code-wrong = Ce code est erroné, trop ancien ou déjà utilisé. Regardez le SMS le plus récent, ou faites envoyer un nouveau code.
error-text-code-not-enough = Un code reçu par SMS ne suffit pas pour ce compte. Connectez-vous avec votre mot de passe, une clé d’accès ou votre organisation.
error-provider-not-enough = Le fournisseur qui vous a connecté ne vaut qu’ici, ce qui ne suffit pas pour changer la façon dont vous vous connectez partout à ce compte. Connectez-vous avec votre mot de passe, une clé d’accès ou un code qui vous est envoyé.
error-provider-alone = Votre organisation ne vous laisse vous connecter que chez son fournisseur, qui ne vaut qu’ici. Cela ne suffit pas pour cette page : adressez-vous à l’administrateur de votre organisation.
error-phone-invalid = Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +33 1 99 00 12 34.
error-phone-same = Votre compte a déjà ce numéro.
error-email-enforced = Votre organisation décide comment vous vous connectez, d’après cette adresse. Demandez-en une autre à son administrateur.
error-phone-taken = Un autre compte a ce numéro. Supprimez-le d’abord là-bas.
error-sso-unknown = Aucune authentification unique n’est configurée pour cette adresse. Connectez-vous autrement.
error-sso-failed = La connexion de votre organisation n’a pas fonctionné. Réessayez ou demandez à votre administrateur.
error-sso-no-member = Vous êtes connecté auprès de votre organisation, mais elle ne vous a pas donné accès ici. Demandez à votre administrateur.
error-social-failed = La connexion là-bas n’a pas abouti. Réessayez, ou connectez-vous autrement.
error-provider-not-fresh = Il faut ici une nouvelle connexion, et celle de là-bas est trop ancienne. Reconnectez-vous là-bas, ou autrement.
error-provider-declined = La connexion là-bas a été annulée, ou votre compte là-bas ne vous permet pas d’utiliser ce service. Réessayez, ou connectez-vous autrement.
error-provider-unfinished = La connexion là-bas n’a pas été terminée : une étape vous y est encore demandée. Réessayez en allant jusqu’au bout, ou connectez-vous autrement.
error-provider-unavailable = La connexion là-bas n’est pas disponible pour le moment. Réessayez plus tard, ou connectez-vous autrement.
error-social-unknown = Aucun compte d’ici n’est encore associé à celui-là. Connectez-vous autrement, puis associez-le dans votre compte.
error-social-no-account = Il n’y a pas de compte avec votre adresse, et il n’est pas possible d’en créer ici.
error-name-invalid = Écrivez chaque nom sur une ligne de 200 caractères au plus.
error-credential-name = Écrivez le nom sur une ligne de 60 caractères au plus.
error-second-factor-needed = La vérification en deux étapes est exigée ici. Ajoutez une autre application avant de supprimer celle-ci.
error-second-factor-missing = Les codes de secours remplacent la seconde étape de la vérification. Configurez d’abord la vérification en deux étapes.
error-organization-owned = Cette organisation vous appartient. Désignez d’abord un autre membre comme propriétaire.
error-sso-tested = Cette connexion vient d’être testée. Attendez dix secondes, puis testez-la de nouveau.
error-deletion-refused = Votre compte ne peut pas être supprimé maintenant. Si une organisation vous appartient, confiez-la d’abord à un autre membre.
error-deletion-unsure = Cochez la case pour supprimer votre compte.
error-last-operator = Vous êtes la dernière personne à pouvoir administrer ce service. Donnez d’abord les mêmes droits à un autre membre.
error-username-missing = Saisissez votre e-mail ou votre nom d’utilisateur.
error-captcha-missing = Veuillez confirmer que vous n’êtes pas un robot.
error-captcha-wrong = La vérification a échoué ou a pris trop de temps. Veuillez réessayer.
error-captcha-unknown = La vérification anti-robot est impossible pour le moment. Réessayez dans un instant.
captcha-working = Nous vérifions que vous n’êtes pas un robot…
captcha-done = Vérifié : vous n’êtes pas un robot.
captcha-needs-script = Cette étape requiert JavaScript, qui tient les robots à l’écart. Activez-le et rechargez la page.
captcha-failed = La vérification contre les robots n’a pas pu être chargée. Si quelque chose la bloque, par exemple un bloqueur de publicités, autorisez-la et rechargez la page.
error-password-missing = Saisissez votre mot de passe.
error-answers-incomplete = Quelque chose manque ou n’est pas correct. Vérifiez ce qui est signalé.
error-terms-not-accepted = Acceptez ceci pour continuer.
error-answer-missing = Remplissez ce champ.
error-answer-invalid = Ceci ne convient pas ici. Vérifiez votre saisie.
error-answer-too-short = { $count ->
    [one] Utilisez au moins un caractère.
   *[other] Utilisez au moins { $count } caractères.
}
error-answer-too-long = { $count ->
    [one] Utilisez au plus un caractère.
   *[other] Utilisez au plus { $count } caractères.
}
error-name-missing = Saisissez votre nom.
error-email-invalid = Saisissez une adresse e-mail, par exemple vous@example.com.
error-email-same = Votre compte a déjà cette adresse.
error-registration-refused = Cette adresse ne permet pas de s’inscrire ici. Utilisez-en une autre, ou adressez-vous à l’organisation dont vous voulez utiliser l’application.
error-registration-unavailable = L’inscription est impossible pour le moment. Réessayez dans un instant.
error-password-too-short = { $count ->
    [one] Le mot de passe doit comporter au moins { $count } caractère.
   *[other] Le mot de passe doit comporter au moins { $count } caractères.
}
error-password-too-long = { $count ->
    [one] Le mot de passe peut comporter au plus { $count } caractère.
   *[other] Le mot de passe peut comporter au plus { $count } caractères.
}
error-password-too-common = Ce mot de passe est facile à deviner. Choisissez-en un autre.
error-password-breached = Ce mot de passe figure dans la fuite de données d’un autre site. Choisissez-en un autre.
error-password-unchecked = Ce mot de passe ne peut pas être vérifié pour le moment. Réessayez dans un instant.
error-passkey-unknown = Cette clé d’accès n’est pas connue ici. Elle a peut-être été retirée de votre compte : connectez-vous autrement.
error-passkey-late = Cela a pris trop de temps. Réessayez.
error-passkey-locked = Déverrouillez votre clé d’accès quand l’appareil le demande, avec votre empreinte, votre visage ou votre code.
error-passkey-failed = La clé d’accès n’a pas pu être vérifiée. Réessayez ou connectez-vous autrement.
error-last-credential = C’est le dernier moyen de vous connecter à votre compte. Ajoutez-en d’abord un autre.
error-passkey-taken = Cette clé d’accès n’a pas pu être ajoutée : elle est déjà utilisée, ou vous en avez trop. Retirez-en une que vous n’utilisez plus.
error-user-code = Ce code n’est pas le bon, ou il a expiré. Regardez de nouveau votre appareil.
notice-sign-in-again = Veuillez vous reconnecter pour continuer.
notice-one-more-step = Encore une étape : prouvez d’une seconde façon que c’est bien vous.
notice-address-mailed = Nous avons envoyé un lien à la nouvelle adresse. Ouvrez-le pour confirmer le changement.
notice-phone-added = Le numéro de téléphone est confirmé.
notice-phone-removed = Le numéro de téléphone a été supprimé.
notice-account-kept = Votre compte est conservé.
notice-terms-accepted = Vous avez accepté.
notice-details-saved = Vos informations sont enregistrées.
notice-profile-saved = Votre profil est enregistré.
notice-credential-added = Ajouté.
notice-social-known-address = Un compte avec votre adresse existe déjà. Connectez-vous comme avant ; il s’ouvrira ensuite aussi avec l’autre compte.
notice-social-not-linked = Nous ne connaissons pas encore ce compte, et il n’apporte pas d’adresse confirmée. Connectez-vous comme avant ou créez un compte ici ; il s’ouvrira ensuite aussi avec l’autre compte.
notice-identity-linked = Associé.
notice-identity-taken = Ce compte est déjà associé à un autre compte ici, ou le vôtre est déjà associé à un autre du même fournisseur.
notice-credential-renamed = Renommé.
notice-credential-removed = Supprimé.
notice-browsers-forgotten = Chaque navigateur redemandera la seconde étape.
notice-sessions-ended = Déconnecté là-bas.
notice-account-switched = Vous avez changé de compte.
notice-account-signed-out = Vous êtes déconnecté de ce compte.
notice-other-account = Cette page concernait un autre compte, rien n’a donc été modifié.
notice-signed-out-meanwhile = Vous avez été déconnecté entre-temps, rien n’a donc été modifié. Connectez-vous et remplissez de nouveau le formulaire.
notice-link-of-another = Ce lien concerne un autre compte que celui qui est connecté ici. Connectez-vous avec le compte qui l’a demandé.
notice-organization-left = Vous avez quitté l’organisation.
notice-organization-joined = Vous êtes maintenant membre de l’organisation.
notice-invitation-declined = Vous avez refusé l’invitation.
notice-invitation-gone = L’invitation n’est plus valable.
notice-delegation-ended = Cela n’agit plus pour vous.
notice-password-changed = Votre mot de passe a été modifié. Connectez-vous avec le nouveau.

## Résultats
done-email-verified-title = E-mail confirmé
done-email-verified-text = Votre compte est prêt.
done-deletion-begun-title = Votre compte sera supprimé
done-deletion-begun-text = Vous êtes déconnecté partout. Nous vous avons écrit comment le garder.
done-address-changed-title = Adresse e-mail modifiée
done-address-changed-text = Connectez-vous désormais avec votre nouvelle adresse.
done-address-restored-title = Vous avez retrouvé votre adresse
done-address-restored-text = Le compte a de nouveau cette adresse, et nous avons mis fin à tout ce qui y était en cours. Vérifiez vos moyens de connexion la prochaine fois.
done-address-occupied-title = Un autre compte a maintenant cette adresse
done-address-occupied-text = Le changement ne peut être annulé que tant qu’aucun autre compte n’a cette adresse. Prévenez les responsables de ce service.
done-password-changed-title = Mot de passe modifié
done-password-changed-text = Connectez-vous désormais avec votre nouveau mot de passe.
done-sign-in-disowned-title = Merci de nous l’avoir dit
done-sign-in-disowned-text = Nous avons mis fin à tout ce qui était en cours dans votre compte. Vérifiez vos moyens de connexion la prochaine fois.
done-password-taken-title = Merci de nous l’avoir dit
done-password-taken-text = Nous avons mis fin à tout ce qui était en cours dans votre compte, et son mot de passe ne fonctionne plus. Demandez-en un nouveau à votre administrateur, ou à vos personnes de confiance si vous en avez choisi.
done-changed-since-title = Ce lien arrive trop tard
done-changed-since-text = Après cette connexion, le mot de passe a été modifié, ou tout a déjà été interrompu. Si ce n’était pas vous, choisissez maintenant un nouveau mot de passe : il met fin à tout ce qui est en cours dans votre compte. Vérifiez ensuite vos moyens de connexion.
done-invitation-accepted-title = Bienvenue
done-invitation-accepted-text = Vous êtes maintenant membre de l’organisation.
done-opened-elsewhere-title = Ouvrez le lien là où vous l’avez demandé
done-opened-elsewhere-text = Il ne connecte que le navigateur dans lequel vous l’avez demandé. Ouvrez-le là-bas, ou demandez un nouveau lien dans ce navigateur. Si vous n’avez pas demandé de lien, ignorez l’e-mail.
done-link-expired-title = Ce lien n’est plus valable
done-link-expired-text = Il a déjà servi ou il est trop ancien. Demandez-en un nouveau.
done-refused-title = Accès non accordé
done-refused-text = Rien n’a été partagé. Vous pouvez fermer cette fenêtre.
done-approved-title = Autorisé
done-approved-text = Vous pouvez revenir à votre appareil. La suite se fait toute seule dans un instant.
done-support-allowed-title = Autorisé
done-support-allowed-text = L’assistance peut maintenant agir dans votre compte, pour la durée demandée. Vous pouvez fermer cette fenêtre.
done-decided-title = Cette demande est close
done-decided-text = Elle a déjà reçu une réponse, ou son délai est écoulé. Rien n’a été modifié à l’instant.

## Pages d’erreur
problem-request-title = Cette demande ne peut pas aboutir
problem-request-text = L’application a envoyé quelque chose que nous ne pouvons pas accepter. Retournez-y et réessayez ; si cela ne suffit pas, prévenez son éditeur.
problem-not-found-title = Page introuvable
problem-not-found-text = Il n’y a rien à cette adresse. Vérifiez-la ou revenez d’où vous venez.
problem-large-title = C’est trop volumineux
problem-large-text = Votre navigateur a envoyé plus que ce que nous acceptons. Revenez en arrière et envoyez moins. Si cela arrive sur chaque page, supprimez les cookies de ce site.
problem-rate-title = Trop de demandes
problem-rate-text = Veuillez patienter un peu avant de réessayer.
problem-expired-title = Ceci a expiré
problem-expired-text = Retournez à l’application et recommencez.
problem-denied-title = Accès refusé
problem-denied-text = Vous n’êtes pas autorisé à faire cela. Si vous pensez que vous devriez l’être, demandez aux responsables de ce service.
problem-server-title = Une erreur s’est produite
problem-server-text = Le problème vient de chez nous. Réessayez ; s’il persiste, indiquez l’identifiant de requête ci-dessous.
problem-unavailable-title = Nous revenons tout de suite
problem-unavailable-text = Le service est momentanément injoignable. Réessayez dans un instant.
problem-retry = Réessayer
problem-code = Code d’erreur
problem-detail = Détails pour les développeurs
problem-request = ID de requête

## E-mails
mail-greeting = Bonjour { $name },
mail-greeting-plain = Bonjour,
mail-expires = Le lien fonctionne une seule fois, pendant { $duration }.
mail-link = Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :
duration-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}
duration-days = { $count ->
    [one] { $count } jour
   *[other] { $count } jours
}
duration-hours = { $count ->
    [one] { $count } heure
   *[other] { $count } heures
}
mail-verify-subject = Confirmez votre e-mail pour { $tenant }
mail-verify-text = Veuillez confirmer que cette adresse est la vôtre pour terminer la création de votre compte { $tenant }.
mail-verify-button = Confirmer l’e-mail
mail-verify-ignore = Si vous n’avez pas créé de compte, vous pouvez ignorer ce message.
mail-prove-subject = { $tenant } : confirmez votre adresse e-mail
mail-prove-text = Quelqu’un (vous, nous l’espérons) veut se connecter chez { $tenant } avec le compte qui a cette adresse. Confirmez que cette adresse est la vôtre pour continuer.
mail-prove-button = Confirmer l’e-mail
mail-prove-ignore = Si ce n’était pas vous, ignorez ce message. L’adresse reste non confirmée.
mail-reset-subject = { $tenant } : réinitialisez votre mot de passe
mail-reset-text = Quelqu’un (vous, nous l’espérons) a demandé chez { $tenant } un nouveau mot de passe pour le compte qui a cette adresse. Choisissez-le ici.
mail-reset-button = Choisir un nouveau mot de passe
mail-reset-ignore = Si ce n’était pas vous, ignorez ce message. Votre mot de passe reste inchangé.
mail-recovery-subject = { $tenant } : choisissez un nouveau mot de passe
mail-recovery-text = Un administrateur de { $tenant } vous envoie ce lien pour choisir un nouveau mot de passe pour le compte qui a cette adresse.
mail-recovery-button = Choisir un nouveau mot de passe
mail-recovery-ignore = Si vous n’avez pas besoin d’un nouveau mot de passe, ignorez ce message. Votre mot de passe reste inchangé.
mail-invitation-subject = { $tenant } vous invite
mail-invitation-text = Vous êtes invité à devenir membre de { $tenant } avec le compte qui a cette adresse.
mail-invitation-button = Accepter l’invitation
mail-invitation-ignore = Si vous ne le souhaitez pas, ignorez ce message. Il ne se passera rien.
mail-organization-invitation-subject = { $tenant } : { $organization } vous invite
mail-organization-invitation-text = Vous êtes invité à rejoindre { $organization } chez { $tenant } avec le compte qui a cette adresse.
mail-organization-invitation-button = Voir l’invitation
mail-organization-invitation-ignore = Si vous ne le souhaitez pas, ignorez ce message. Il ne se passera rien.
mail-exists-subject = { $tenant } : connectez-vous avec votre compte
mail-exists-text = Quelqu’un (vous, nous l’espérons) a voulu créer un compte chez { $tenant } avec cette adresse. Un compte a déjà cette adresse : ce lien vous connecte avec lui et fait de vous un membre de { $tenant } si vous ne l’êtes pas encore.
mail-exists-button = Se connecter
mail-exists-ignore = Si ce n’était pas vous, ignorez ce message. Rien n’a changé.
mail-locked-subject = { $tenant } : trop de mots de passe erronés pour votre compte
mail-locked-text = Quelqu’un a essayé chez { $tenant } trop de mots de passe erronés pour le compte qui a cette adresse. Dans les navigateurs que vous n’avez pas encore utilisés, la connexion est suspendue pendant { $duration }. Là où vous vous êtes déjà connecté, elle reste possible, et un nouveau mot de passe met fin à la suspension.
mail-locked-button = Choisir un nouveau mot de passe
mail-locked-ignore = Si votre mot de passe est bon et ne sert nulle part ailleurs, il n’y a rien à faire. Ce message ne vient qu’une fois.
mail-new-device-subject = { $tenant } : une nouvelle connexion à votre compte
mail-new-device-text = Quelqu’un vient de se connecter à votre compte chez { $tenant } avec un navigateur que vous n’aviez pas encore utilisé, ou d’une façon inhabituelle. Était-ce vous ? Voyez quand et d’où, et dites-nous si ce n’était pas vous.
mail-new-device-button = Voir la connexion
mail-new-device-ignore = Si c’était vous, il n’y a rien à faire.
mail-sign-in-refused-subject = { $tenant } : nous avons refusé une connexion à votre compte
mail-sign-in-refused-text = Quelqu’un vient d’essayer de se connecter à votre compte chez { $tenant } et avait de quoi le faire, par exemple votre mot de passe. Nous ne l’avons pas laissé entrer, car la connexion était trop inhabituelle. Était-ce vous ? Voyez quand et d’où, et dites-nous si ce n’était pas vous.
mail-sign-in-refused-button = Voir la connexion
mail-sign-in-refused-ignore = Si c’était vous, connectez-vous avec un navigateur que vous avez déjà utilisé, ou avec une clé d’accès.
mail-signin-link-subject = { $tenant } : votre lien de connexion
mail-signin-link-text = Voici le lien pour vous connecter chez { $tenant }. Ouvrez-le dans le navigateur où vous l’avez demandé.
mail-signin-link-button = Se connecter
mail-signin-link-ignore = Si vous n’avez pas demandé de lien, ignorez ce message. Le lien ne connecte que le navigateur qui l’a demandé.
text-sign-in = { $code } est votre code de connexion chez { $tenant }. Il est valable { $duration }. Ne le donnez à personne.
text-new-password = { $code } est votre code pour choisir un nouveau mot de passe chez { $tenant }. Il est valable { $duration }. Ne le donnez à personne.
text-new-number = { $code } confirme votre numéro de téléphone chez { $tenant }. Le code est valable { $duration }. Ne le donnez à personne.
mail-code-subject = { $tenant } : votre code de connexion
mail-code-text = Voici le code pour vous connecter chez { $tenant }. Saisissez-le sur la page qui l’a demandé et ne le donnez à personne. Il sert une seule fois, pendant { $duration }.
mail-code-button = Votre code
mail-code-ignore = Si vous n’avez pas demandé de code, ignorez ce message. Sans le code, personne n’entre.
mail-credential-added-subject = { $kind ->
    [app] { $tenant } : une application d’authentification a été ajoutée à votre compte
    [backup-codes] { $tenant } : de nouveaux codes de secours pour votre compte
    [passkey] { $tenant } : une clé d’accès a été ajoutée à votre compte
    [security-key] { $tenant } : une clé de sécurité a été ajoutée à votre compte
    [phone] { $tenant } : un numéro de téléphone a été ajouté à votre compte
    [identity] { $tenant } : un autre compte a été associé au vôtre
    [wallet] { $tenant } : un portefeuille a été ajouté à votre compte
   *[other] { $tenant } : un moyen de connexion a été ajouté à votre compte
}
mail-credential-added-text = { $kind ->
    [app] Une application d’authentification a été ajoutée à votre compte chez { $tenant }. Ses codes comptent comme une preuve de votre identité.
    [backup-codes] De nouveaux codes de secours ont été créés pour votre compte chez { $tenant }. Ceux d’avant ne fonctionnent plus.
    [passkey] Une clé d’accès a été ajoutée à votre compte chez { $tenant }.
    [security-key] Une clé de sécurité a été ajoutée à votre compte chez { $tenant }.
    [phone] Un numéro de téléphone a été ajouté à votre compte chez { $tenant }. Les codes qui y sont envoyés comptent comme une preuve de votre identité.
    [identity] Un compte qui existe ailleurs a été associé à votre compte chez { $tenant }. Il ouvre désormais votre compte.
    [wallet] Un portefeuille a été ajouté à votre compte chez { $tenant }. Il ouvre désormais votre compte.
   *[other] Un moyen de prouver que c’est vous a été ajouté à votre compte chez { $tenant }.
}
mail-credential-added-button = Ce n’était pas moi
mail-credential-added-ignore = Si c’était vous, il n’y a rien à faire.
mail-credential-removed-subject = { $kind ->
    [app] { $tenant } : une application d’authentification a été supprimée de votre compte
    [backup-codes] { $tenant } : des codes de secours ont été supprimés de votre compte
    [passkey] { $tenant } : une clé d’accès a été supprimée de votre compte
    [security-key] { $tenant } : une clé de sécurité a été supprimée de votre compte
    [phone] { $tenant } : votre numéro de téléphone a été supprimé de votre compte
    [identity] { $tenant } : un compte associé a été supprimé de votre compte
    [wallet] { $tenant } : un portefeuille a été supprimé de votre compte
   *[other] { $tenant } : un moyen de connexion a été supprimé de votre compte
}
mail-credential-removed-text = { $kind ->
    [app] Une application d’authentification a été supprimée de votre compte chez { $tenant }.
    [backup-codes] Des codes de secours ont été supprimés de votre compte chez { $tenant }.
    [passkey] Une clé d’accès a été supprimée de votre compte chez { $tenant }.
    [security-key] Une clé de sécurité a été supprimée de votre compte chez { $tenant }.
    [phone] Votre numéro de téléphone a été supprimé de votre compte chez { $tenant }.
    [identity] Un compte associé a été supprimé de votre compte chez { $tenant }. Il n’ouvre plus votre compte.
    [wallet] Un portefeuille a été supprimé de votre compte chez { $tenant }. Il n’ouvre plus votre compte.
   *[other] Un moyen de prouver que c’est vous a été supprimé de votre compte chez { $tenant }.
}
mail-credential-removed-button = Ce n’était pas moi
mail-credential-removed-ignore = Si c’était vous, il n’y a rien à faire.
mail-handed-over-subject = Votre compte chez { $tenant } vous a été remis
mail-handed-over-text = Vous avez confirmé que cette adresse est la vôtre. Ce qui avait été ajouté au compte auparavant ne l’ouvre plus : un mot de passe, des clés d’accès, des applications, des numéros de téléphone, des comptes associés. Toutes les sessions ont été fermées.
mail-handed-over-button = Ce n’était pas moi
mail-handed-over-ignore = Si c’était vous, il n’y a rien à faire. Vous pouvez ajouter de nouveau dans votre compte ce qui était à vous.
mail-deletion-subject = { $tenant } : votre compte sera supprimé
mail-deletion-text = Vous avez demandé la suppression de votre compte chez { $tenant }. Pendant { $duration }, vous pouvez le garder : suivez le lien, connectez-vous et choisissez « Garder mon compte ». Se connecter ne suffit pas. Ensuite il disparaît.
mail-deletion-button = Garder mon compte
mail-deletion-ignore = Si vous voulez le supprimer, il n’y a rien à faire. Si vous n’avez rien demandé, gardez-le et changez votre mot de passe.
mail-new-address-subject = { $tenant } : confirmez votre nouvelle adresse e-mail
mail-new-address-text = Vous voulez utiliser cette adresse pour votre compte chez { $tenant }. Confirmez-la avec ce lien, une fois connecté à votre compte.
mail-new-address-button = Confirmer l’adresse
mail-new-address-ignore = Si ce n’était pas vous, ignorez ce message. Rien ne change.
mail-address-taken-subject = { $tenant } : cette adresse a déjà un compte
mail-address-taken-text = Quelqu’un (vous, nous l’espérons) a voulu utiliser cette adresse pour un autre compte chez { $tenant }. Elle appartient déjà à un compte, donc rien n’a changé. Pour l’utiliser avec un autre compte, donnez d’abord une autre adresse au compte actuel.
mail-address-taken-button = Vers { $tenant }
mail-address-taken-ignore = Si ce n’était pas vous, ignorez ce message. Rien ne change.
mail-address-changed-subject = { $tenant } : votre compte a une autre adresse e-mail
mail-address-changed-text = Le compte qui avait cette adresse chez { $tenant } en a maintenant une autre. Cette adresse ne l’ouvre plus.
mail-address-changed-button = Vers { $tenant }
mail-address-changed-ignore = Si ce n’était pas vous, prévenez tout de suite les responsables de ce service.
mail-address-undo-subject = { $tenant } : votre compte a une autre adresse e-mail
mail-address-undo-text = Le compte qui avait cette adresse chez { $tenant } en a maintenant une autre. Cette adresse ne l’ouvre plus. Si ce n’était pas vous, annulez le changement : votre compte retrouve cette adresse, et tout ce qui y est en cours prend fin. S’il a un mot de passe, vous en choisissez un nouveau.
mail-address-undo-button = Voir le changement
mail-address-undo-ignore = Si c’était vous, il n’y a rien à faire.
mail-changed-subject = { $tenant } : votre mot de passe a été modifié
mail-changed-text = Le mot de passe du compte qui a cette adresse vient d’être modifié chez { $tenant }. Si c’était vous, il n’y a rien à faire.
mail-changed-button = Ce n’était pas moi
mail-changed-ignore = Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez les responsables de ce service.
mail-changed-first-subject = { $tenant } : votre compte a maintenant un mot de passe
mail-changed-first-text = Le compte qui a cette adresse n’avait pas de mot de passe ; un mot de passe vient d’être défini chez { $tenant }. Si c’était vous, il n’y a rien à faire.
mail-changed-first-button = Ce n’était pas moi
mail-changed-first-ignore = Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez les responsables de ce service.
problem-again-title = Veuillez recommencer
problem-again-text = Cette page ne peut pas continuer : elle est restée ouverte trop longtemps, a été ouverte dans un autre navigateur ou seulement par son adresse. Recommencez depuis l’application.
problem-back = Retour à { $app }
mismatch-sent = Envoyée
mismatch-registered = Enregistrées
signout-unregistered = L’application a demandé à revenir à une adresse qu’elle n’a pas enregistrée : aucun lien ne peut y mener d’ici.
start-account = Vous êtes connecté en tant que { $account }.
start-approvals = Demandes d’autres appareils
start-text = C’est ici que vous vous connectez. Ouvrez l’application que vous voulez utiliser ; elle vous amènera ici.

## Languages, access, applications that no one has checked
language-name = Français
language = Langue
sent-resend = Renvoyer le message
register-again = Utiliser une autre adresse
forgot-again = Essayer un autre nom
signin-for-device = pour connecter un appareil
signin-for-approvals = pour répondre aux demandes d’autres appareils
signin-for-access = pour voir ce que les applications peuvent faire
signin-for-account = pour gérer votre compte
signin-for-invitation = pour accepter une invitation
select-signed-out = Déconnecté
consent-identity = À propos de vous
consent-api = Dans { $api }
consent-write = Peut apporter des modifications
consent-foreign = { $app } n’est pas exploitée par { $tenant }.
consent-unverified = { $app } s’est enregistrée elle-même. Personne chez { $tenant } n’a vérifié son nom ni ses informations, et { $tenant } ne l’exploite pas.
consent-destination = Si vous acceptez, vous continuez vers
consent-take-back = Vous pouvez revenir sur ce choix à tout moment :
consent-organization = Cet accès vaut pour votre organisation :
access-title = Applications autorisées
access-none = Vous n’avez autorisé aucune application à utiliser votre compte.
access-remove = Retirer l’accès à { $app }
access-note = Une application dont vous retirez l’accès le perd aussitôt et devra vous le redemander.
leaving-title = Cette demande a été refusée
leaving-text = { $app } a envoyé une demande qui ne peut pas être traitée.
leaving-warning = Le lien ci-dessous mène à un site que personne chez { $tenant } n’a vérifié. Ne le suivez que si vous le connaissez, et n’y saisissez pas votre mot de passe.
leaving-go = Aller à { $destination }

## Accounts of Ethereum
siwe-link = Se connecter avec Ethereum
siwe-wallet = Utiliser le portefeuille de ce navigateur
siwe-needs = Il vous faut un portefeuille avec un compte Ethereum. Si ce navigateur n’en a pas, saisissez l’adresse du compte, signez le message dans votre portefeuille et collez la signature.
siwe-address = Adresse de votre compte
siwe-address-hint = 0x suivi de 40 caractères.
siwe-chain = Chaîne
siwe-next = Afficher le message à signer
siwe-text = Signez ce message avec votre portefeuille. Cela ne coûte rien et n’envoie aucune transaction.
siwe-sign = Signer avec le portefeuille
siwe-message = Message
siwe-signature = Signature
siwe-submit = Envoyer la signature
siwe-other = Utiliser une autre adresse
siwe-cancelled = Le portefeuille n’a pas répondu. Réessayez, ou signez le message ailleurs et collez la signature.
siwe-missing = Aucun portefeuille de ce navigateur n’a ce compte. Choisissez le compte dans le portefeuille, ou collez la signature.
login-by-wallet = avec un portefeuille
error-siwe-address = Ce n’est pas une adresse Ethereum. Vérifiez la saisie : les majuscules comptent.
error-siwe-chain = Choisissez l’une des chaînes proposées ici.
error-siwe-late = Ce message est trop ancien ou a déjà servi. Recommencez.
error-siwe-failed = La signature n’est pas celle de ce compte pour ce message. Signez exactement ce message.
error-siwe-unavailable = La signature ne peut pas être vérifiée pour le moment. Réessayez dans quelques minutes, ou connectez-vous autrement.
error-siwe-not-enough = Une signature ne suffit pas ici. Connectez-vous autrement.
notice-siwe-not-linked = Aucun compte n’est encore associé à cette adresse ici. Connectez-vous comme d’habitude ; elle ouvrira ensuite aussi votre compte.

## Personnes de confiance et récupération par elles
account-guardians = Personnes de confiance
account-guarding = Qui compte sur vous
guardians-text = Les personnes de confiance ont un compte ici, et vous les avez choisies. Quand vous ne pouvez plus vous connecter, elles confirment ensemble que c’est bien vous. Une seule ne peut rien, et aucune ne voit votre compte.
guardians-are-ready = { $count ->
    [one] Une personne de confiance compte, il en faut { $threshold }. Elles peuvent vous aider.
   *[other] { $count } personnes de confiance comptent, il en faut { $threshold }. Elles peuvent vous aider.
}
guardians-are-not-ready = { $count ->
    [0] Aucune personne de confiance ne compte encore. Invitez-en, et enregistrez ci-dessous combien il en faut ; d’ici là, elles ne peuvent pas vous aider.
    [one] Une personne de confiance compte. Enregistrez ci-dessous combien il en faut quand assez auront accepté ; d’ici là, elles ne peuvent pas vous aider.
   *[other] { $count } personnes de confiance comptent. Enregistrez ci-dessous combien il en faut ; d’ici là, elles ne peuvent pas vous aider.
}
guardian-active = personne de confiance
guardian-inactive = ne peut pas se connecter actuellement
guardian-invited = invitation envoyée
guardian-since = Personne de confiance depuis le { $day }
guardian-invited-on = Invitation du { $day }
guardian-remove = Retirer { $email }
guardian-email = Adresse e-mail d’une personne à qui vous faites confiance
guardian-invite = Inviter
guardian-rules = Ce qu’il faut
guardian-threshold = Personnes de confiance qui doivent confirmer
guardian-wait = Heures d’attente ensuite
guardian-wait-hint = De { $least } à { $most } heures. Pendant ce temps, nous vous prévenons par tous les moyens et vous pouvez annuler.
guardian-rules-submit = Enregistrer
guardians-asked = Quelqu’un demande à vos personnes de confiance de récupérer votre compte.
guardians-asked-text = Si ce n’était pas vous, annulez maintenant. La personne que confirment assez de personnes de confiance peut choisir un nouveau mot de passe.
guardians-too-few = Moins de personnes de confiance comptent qu’il n’en faut : elles ne peuvent pas récupérer votre compte.
guardians-look = Voir la demande
guardians-confirmed = { $count } sur { $most } ont confirmé
guardians-ready-at = nouveau mot de passe possible à partir du
guarding-text = Ces personnes comptent sur vous pour confirmer que c’est bien elles quand elles ne peuvent plus se connecter.
guarding-none = Vous n’êtes la personne de confiance de personne.
guarding-wait = Quelqu’un attend votre réponse :
guarding-invited = { $name } vous demande d’être sa personne de confiance : de confirmer, le jour où la connexion ne lui est plus possible, que c’est bien elle ou lui. Vous ne voyez rien de son compte.
guarding-accept = Accepter
guarding-decline = Refuser
guarding-leave = Ne plus être la personne de confiance de { $name }
guarding-asked = Quelqu’un dit être { $name } et demande votre aide, depuis
guarding-call = Appelez d’abord { $name } à un numéro que vous connaissez, et faites-vous lire le code. Ne prenez jamais le code d’un message, ni d’une voix que vous ne connaissez pas.
guarding-answered = Vous avez répondu. Si vous répondez encore, c’est la dernière réponse qui compte.
guarding-code = Le code que { $name } vous lit
guarding-confirm = Confirmer
guarding-refuse = C’est quelqu’un d’autre
forgot-guardians = Je ne peux pas lire mes e-mails : demander à mes personnes de confiance
recovery-ask-title = Demander à vos personnes de confiance
recovery-ask-text = Saisissez votre nom d’utilisateur ou votre adresse e-mail. Si le compte a des personnes de confiance, nous leur demandons de confirmer que c’est vous.
recovery-ask-submit = Demander
recovery-title = Récupération par vos personnes de confiance
recovery-text = Si le compte { $account } a des personnes de confiance, nous leur avons demandé. Appelez-les et lisez ce code à chacune :
recovery-code-text = La personne de confiance qui saisit ce code confirme ce navigateur et aucun autre. Gardez ce navigateur : c’est ici seulement que vous pourrez choisir un nouveau mot de passe.
recovery-confirmed = { $count ->
    [one] Une personne de confiance a confirmé.
   *[other] { $count } personnes de confiance ont confirmé.
}
recovery-reached = Assez de personnes de confiance ont confirmé. Vous pourrez choisir ici un nouveau mot de passe à partir du
recovery-come-back = Revenez à cette page dans ce navigateur pour voir où cela en est.
recovery-ready = Vos personnes de confiance ont confirmé. Choisissez un nouveau mot de passe.
recovery-ready-hint = Vous êtes déconnecté partout, et les clés d’accès, applications, numéros de téléphone, codes de secours, comptes associés et navigateurs de confiance sont retirés. Remettez ensuite en place ce qu’il vous faut.
recovery-submit = Définir le mot de passe
recovery-over = Trop de temps s’est écoulé, ou la demande a été annulée. Vous pouvez redemander.
recovery-again = Recommencer
recovery-cancel-title = Annuler la récupération ?
recovery-cancel-text = Quelqu’un demande à vos personnes de confiance de récupérer votre compte. Si ce n’était pas vous, annulez.
recovery-cancel-submit = Annuler la récupération
recovery-cancel-hint = Votre compte reste tel qu’il est. Si c’est vous qui l’avez demandée, fermez cette page.
notice-guardian-invited = Nous avons envoyé une invitation.
notice-guardian-removed = La personne de confiance est retirée.
notice-guardian-rules-saved = Ce qu’il faut est enregistré.
notice-guardian-accepted = Vous êtes maintenant personne de confiance.
notice-guardian-left = Vous n’y êtes pas personne de confiance.
notice-recovery-confirmed = Votre confirmation compte.
notice-recovery-refused = Nous avons noté que c’est quelqu’un d’autre.
notice-recovery-cancelled = La récupération est annulée.
error-guardian-self = Saisissez l’adresse d’une autre personne.
error-guardian-known = Cette adresse est déjà invitée.
error-guardians-full = Vous avez { $count } personnes de confiance, c’est le maximum. Retirez-en une d’abord.
error-apps-full = Vous avez { $count } applications, c’est le maximum. Retirez-en une d’abord.
error-threshold = Choisissez au moins { $count }, et pas plus que les personnes de confiance qui comptent.
error-wait = Choisissez de { $count } à 720 heures.
error-recovery-code-wrong = Ce code est faux. Faites-vous le relire.
error-recovery-over = Cette récupération est terminée, ou a commencé avant que vous soyez personne de confiance.
done-recovery-cancelled-title = La récupération est annulée
done-recovery-cancelled-text = Votre compte reste tel qu’il est. Si quelqu’un peut connaître votre mot de passe, changez-le.
done-recovered-title = Vous avez retrouvé votre compte
done-recovered-text = Connectez-vous avec le nouveau mot de passe, et remettez en place vos clés d’accès et la vérification en deux étapes.
text-recovery = Votre compte chez { $tenant } est en cours de récupération par vos personnes de confiance. Si ce n’est pas vous, annulez depuis notre e-mail, ou connectez-vous.
mail-guardian-invitation-subject = { $tenant } : { $person } vous demande d’être personne de confiance
mail-guardian-invitation-text = { $person } vous fait confiance et vous demande d’être sa personne de confiance chez { $tenant } : de confirmer, le jour où la connexion ne lui est plus possible, que c’est bien elle ou lui. Connectez-vous avec le compte qui a cette adresse, ou créez-en un, et répondez dans un délai de { $duration }.
mail-guardian-invitation-button = Répondre
mail-guardian-invitation-ignore = Si vous ne connaissez pas { $person }, ignorez ce message.
mail-guardian-accepted-subject = { $tenant } : { $person } est maintenant votre personne de confiance
mail-guardian-accepted-text = { $person } a accepté d’être personne de confiance pour votre compte chez { $tenant }.
mail-guardian-accepted-button = Voir vos personnes de confiance
mail-guardian-accepted-ignore = Si vous n’avez invité personne, retirez cette personne et changez votre mot de passe.
mail-guardian-left-subject = { $tenant } : { $person } n’est pas votre personne de confiance
mail-guardian-left-text = { $person } a refusé, ou n’est plus personne de confiance pour votre compte chez { $tenant }. Vérifiez qu’il en reste assez.
mail-guardian-left-button = Voir vos personnes de confiance
mail-guardian-left-ignore = Sinon, il n’y a rien à faire.
mail-guardian-rules-subject = { $tenant } : les règles de vos personnes de confiance ont changé
mail-guardian-rules-text = Le nombre de personnes de confiance qui doivent confirmer, ou le temps d’attente de votre compte chez { $tenant }, a été modifié.
mail-guardian-rules-button = Voir vos personnes de confiance
mail-guardian-rules-ignore = Si ce n’était pas vous, rétablissez ce qui était et choisissez un nouveau mot de passe.
mail-recovery-asked-subject = { $tenant } : { $person } a peut-être besoin de votre aide
mail-recovery-asked-text = Quelqu’un dit être { $person } et ne peut plus se connecter chez { $tenant }. Appelez d’abord { $person } à un numéro que vous connaissez, et faites-vous lire le code. Ne le prenez jamais d’un message. Connectez-vous ensuite et saisissez-le.
mail-recovery-asked-button = Répondre
mail-recovery-asked-ignore = Si vous ne parvenez pas à joindre { $person }, ne faites rien : votre silence ne change rien.
mail-recovery-opened-subject = { $tenant } : quelqu’un demande à vos personnes de confiance de récupérer votre compte
mail-recovery-opened-text = Quelqu’un (vous, nous l’espérons) a demandé à vos personnes de confiance de récupérer votre compte chez { $tenant }. Quand assez d’entre elles auront confirmé et que le temps d’attente sera écoulé, cette personne pourra choisir un nouveau mot de passe. Si ce n’était pas vous, annulez ici.
mail-recovery-opened-button = Annuler la récupération
mail-recovery-opened-ignore = Si c’était vous, il n’y a rien à faire : lisez le code à vos personnes de confiance.
mail-recovery-confirmed-subject = { $tenant } : une personne de confiance a confirmé la récupération de votre compte
mail-recovery-confirmed-text = { $person } a confirmé que vous demandez la récupération de votre compte chez { $tenant }. Si ce n’était pas vous, annulez ici.
mail-recovery-confirmed-button = Annuler la récupération
mail-recovery-confirmed-ignore = Si c’était vous, il n’y a rien à faire.
mail-recovery-refused-subject = { $tenant } : une personne de confiance a refusé la récupération de votre compte
mail-recovery-refused-text = { $person } dit que ce n’est pas vous qui demandez la récupération de votre compte chez { $tenant }. Si ce n’était pas vous, annulez ici.
mail-recovery-refused-button = Annuler la récupération
mail-recovery-refused-ignore = Si c’était vous, appelez { $person }.
mail-recovery-reached-subject = { $tenant } : votre compte va être récupéré
mail-recovery-reached-text = Assez de personnes de confiance ont confirmé. Après un délai de { $duration }, un nouveau mot de passe pour votre compte chez { $tenant } pourra être choisi dans le navigateur d’où vient la demande. Si ce n’était pas vous, annulez avant.
mail-recovery-reached-button = Annuler la récupération
mail-recovery-reached-ignore = Si c’était vous, revenez à la page dans le navigateur où vous avez demandé.
mail-recovered-subject = { $tenant } : votre compte a été récupéré
mail-recovered-text = Vos personnes de confiance ont confirmé, et votre compte chez { $tenant } a un nouveau mot de passe. Vous êtes déconnecté partout, et tout ce qui ouvrait le compte a été retiré.
mail-recovered-button = Se connecter
mail-recovered-ignore = Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe, et prévenez { $tenant }.

## Invités
anonymous-submit = Continuer en tant qu’invité
guest-name = Invité
notice-here-as-guest = Vous êtes ici en tant qu’invité. Si vous créez un compte, vous conservez ce que vous avez ici ; si vous vous connectez à un autre compte, cela reste derrière vous.
account-keep = Conserver votre compte
keep-text = Vous êtes ici en tant qu’invité : seul ce navigateur ouvre votre compte, qui est supprimé lorsque vous ne l’utilisez plus. Indiquez une adresse e-mail pour le conserver. Un lien dans l’e-mail vous permet de choisir comment vous connecter ; ouvrez-le dans ce navigateur.
done-guest-elsewhere-title = Ouvrez le lien dans le navigateur que vous avez utilisé
done-guest-elsewhere-text = Il conserve le compte d’un invité, qui se trouve dans le navigateur où vous l’avez demandé. Ouvrez-le là. Si vous n’avez pas demandé de lien, ignorez l’e-mail.
done-guest-deleted-title = Votre compte est supprimé
done-guest-deleted-text = Vous êtes déconnecté, et ce qui était conservé à votre sujet est supprimé en quelques minutes.

# Support staff who act for people
acting-label = Accès de l’assistance
acting-text = Vous agissez en tant que { $account }.
acting-end = Arrêter
acting-account = Aller au compte
account-support = Accès de l’assistance
support-about = Si vous avez besoin d’aide, l’assistance peut agir dans votre compte pour une durée limitée. Elle voit ce que vous voyez et ne peut pas changer votre façon de vous connecter. Vous pouvez y mettre fin ici à tout moment.
support-none = L’assistance n’a jamais agi dans votre compte.
support-to-approvals = Répondre à la demande de l’assistance
support-reason = Motif :
support-asks = { $person }, de l’assistance, demande à agir dans votre compte
support-what = L’assistance voit ce que vous voyez dans les applications. Elle ne peut changer ni votre mot de passe, ni votre adresse, ni votre façon de vous connecter, et n’autorise rien en votre nom. Vous pouvez y mettre fin à tout moment.
support-end = Mettre fin à l’accès
support-waiting = vous attend
support-ready = approuvé, pas commencé
support-active = en cours
support-refused = refusé
support-expired = non utilisé à temps
support-ended = terminé
notice-support-ended = L’assistance ne peut plus agir dans votre compte.
login-impersonated = L’assistance a commencé à agir pour vous
impersonate-title = Agir pour une personne
impersonate-text = Vous allez agir dans le compte de { $account }.
impersonate-hint = Tout ce que vous faites est enregistré avec votre nom ({ $account }). Votre propre connexion reste et revient quand vous arrêtez.
impersonate-submit = Commencer
done-impersonation-link-title = Ce lien ne fonctionne pas ici
done-impersonation-link-text = Il fonctionne une fois, pendant cinq minutes, et seulement dans le navigateur où est connectée la personne qui l’a demandé. Demandez un autre lien.
mail-impersonation-asked-subject = { $tenant } : l’assistance demande à agir dans votre compte
mail-impersonation-asked-text = { $person }, de l’assistance de { $tenant }, demande à agir dans votre compte pour une durée limitée. Connectez-vous pour voir le motif, et approuver ou refuser.
mail-impersonation-asked-button = Voir la demande
mail-impersonation-asked-ignore = Si vous ne faites rien, personne n’obtient l’accès.
mail-impersonation-started-subject = { $tenant } : l’assistance agit dans votre compte
mail-impersonation-started-text = { $person }, de l’assistance de { $tenant }, a commencé à agir dans votre compte pour une durée limitée. Vous pouvez voir le motif, et y mettre fin, dans votre compte.
mail-impersonation-started-button = Voir ou arrêter
mail-impersonation-started-ignore = Si vous n’avez pas besoin de l’assistance, mettez-y fin et prévenez-nous.
mail-impersonation-ended-subject = { $tenant } : l’assistance a agi dans votre compte
mail-impersonation-ended-text = { $person }, de l’assistance de { $tenant }, a agi dans votre compte. C’est terminé. Vous pouvez voir le motif dans votre compte.
mail-impersonation-ended-button = Voir
mail-impersonation-ended-ignore = Si vous n’aviez pas besoin de l’assistance, prévenez-nous.
support-minutes = Pour { $duration }.

## Recovery by a proven factor

signin-for-recovery = Prouvez d’abord que c’est bien vous. Vous choisirez ensuite le nouveau mot de passe.
recover-others = ou prouvez autrement que c’est bien vous
recover-sms = Utiliser un code par SMS
recover-passkey = Utiliser une clé d’accès
recover-start-again = Revenir à tous les moyens
error-phone-alone-not-enough = Un code reçu par SMS ne suffit pas à lui seul pour ce compte, qui exige la vérification en deux étapes. Utilisez un autre moyen.
text-password-changed = Le mot de passe de votre compte chez { $tenant } a été modifié. Si ce n’est pas vous, choisissez-en un autre tout de suite avec « Mot de passe oublié ? » sur la page de connexion.

## Registration by a mailed code

register-by-code = Utiliser un code par e-mail, sans mot de passe
register-code-sent = Un message est en route vers { $email }. Saisissez ici le code qu’il contient. Si vous avez déjà un compte, suivez le message.
register-name-text = { $email } est bien votre adresse. Quel est votre nom ?
mail-registration-code-subject = { $tenant } : votre code pour créer un compte
mail-registration-code-text = Voici le code pour créer votre compte chez { $tenant }. Saisissez-le sur la page qui l’a demandé et ne le donnez à personne. Il sert une seule fois, pendant { $duration }.
mail-registration-code-button = Votre code
mail-registration-code-ignore = Si vous n’avez pas demandé de code, ignorez ce message. Sans le code, aucun compte n’est créé.

## Preview of branding and texts
preview-title = Aperçu de l’apparence
preview-text = Voyez les pages et les e-mails avant d’enregistrer leur apparence. Rien de ce que vous saisissez ici n’est conservé.
preview-page = Page ou e-mail
preview-scheme = Couleurs
preview-light = Clair
preview-dark = Sombre
preview-width = Écran
preview-wide = Ordinateur
preview-phone = Téléphone
preview-organization = Organisation, par son nom court
preview-accent = Couleur d’accentuation
preview-radius = Arrondi des angles, en pixels
preview-font = Police de caractères
preview-font-system = Celle du système
preview-font-humanist = Humaniste
preview-font-geometric = Géométrique
preview-font-rounded = Arrondie
preview-font-serif = À empattements
preview-font-monospace = À chasse fixe
preview-logo = Adresse du logo
preview-sender = Expéditeur des e-mails
preview-texts = Textes propres dans cette langue
preview-texts-hint = Un par ligne : la clé, un signe égal, le texte.
preview-submit = Afficher
preview-frame = Aperçu
preview-mark = Ceci est un aperçu. Rien n’y fonctionne.
