### Deutsch.

## Rahmen
footer = Geschützt durch { $tenant }
title-error = Fehler:
legal-policy = Datenschutz
legal-terms = Nutzungsbedingungen
continue = Weiter
continue-app = Weiter zu { $app }
back-to-signin = Zurück zur Anmeldung

## Anmelden
signin-title = Anmelden
signin-to = um mit { $app } fortzufahren
signin-submit = Anmelden
sso-lead = Weiter mit { $name }. Dort melden sich die Leute Ihrer Organisation an.
sso-alone = Für Ihre Organisation wird hier keine andere Anmeldung angenommen.
sso-continue = Weiter
sso-address = Geschäftliche E-Mail-Adresse
sso-link = Mit Single Sign-On anmelden
social-title = Andere Wege der Anmeldung
social-continue = Weiter mit { $name }
email-otp-link = Code per E-Mail senden lassen
email-otp-address = E-Mail-Adresse
email-otp-send = Code senden
email-otp-sent = Falls hier ein Konto die Adresse { $address } hat, ist ein Code dorthin unterwegs.
email-otp-label = Code aus der E-Mail
email-otp-resend = Neuen Code senden
email-otp-other = Eine andere Adresse verwenden
magic-link-link = Link zur Anmeldung per E-Mail senden lassen
magic-link-send = Link senden
magic-link-sent = Falls hier ein Konto die Adresse { $address } hat, ist ein Link dorthin unterwegs. Öffnen Sie ihn in diesem Browser.
magic-link-resend = Neuen Link senden
magic-link-title = Anmelden
magic-link-text = Als { $email } anmelden?
sms-link = Code aufs Telefon senden lassen
sms-number = Telefonnummer
sms-number-hint = Mit der Vorwahl des Landes, etwa +49 30 901820.
sms-send = Code senden
sms-second = Code auf mein Telefon senden
sms-sent = Falls hier ein Konto die Nummer { $number } hat, ist ein Code dorthin unterwegs.
sms-sent-second = Ein Code ist unterwegs auf Ihr Telefon, dessen Nummer auf { $end } endet.
sms-label = Code aus der SMS
sms-resend = Neuen Code senden
sms-other = Eine andere Nummer verwenden
signin-forgot = Passwort vergessen?
signin-narrowed = Hier werden nur die Anmeldewege auf dieser Seite akzeptiert.
signin-none-accepted = Kein Anmeldeweg, der hier akzeptiert wird, steht zur Verfügung. Fragen Sie Ihre Administration.
passkey-or = oder
passkey-submit = Mit Passkey anmelden
passkey-second = Passkey oder Sicherheitsschlüssel verwenden
passkey-cancelled = Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal oder melden Sie sich anders an.
passkey-failed = Der Passkey konnte hier nicht verwendet werden. Versuchen Sie es noch einmal oder melden Sie sich anders an.
passkey-not-made = Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.
passkey-not-able = Dieses Gerät kann keinen Passkey erstellen, der hier gilt. Wählen Sie einen anderen Weg oder nehmen Sie ein anderes Gerät.
passkey-needs-script = Passkeys und Sicherheitsschlüssel brauchen einen Browser mit JavaScript.
signin-register-ask = Neu hier?
signin-register = Konto anlegen
username-label = E-Mail oder Benutzername
email-label = E-Mail
name-label = Vor- und Nachname
password-label = Passwort
password-show = Passwort anzeigen
strength-label = Stärke des Passworts
strength-weak = Schwach
strength-fair = Mäßig
strength-good = Gut
strength-strong = Stark
password-hint = { $count ->
    [one] Mindestens { $count } Zeichen.
   *[other] Mindestens { $count } Zeichen. Mehrere Wörter ohne Zusammenhang eignen sich gut.
}

## Bestätigung in zwei Schritten
second-title = Bestätigen Sie, dass Sie es sind
totp-label = Code aus Ihrer Authenticator-App
totp-submit = Bestätigen
backup-code-more = Stattdessen einen Ersatzcode verwenden
backup-code-label = Ersatzcode
trust-browser = { $count ->
    [one] In diesem Browser { $count } Tag lang nicht mehr fragen
   *[other] In diesem Browser { $count } Tage lang nicht mehr fragen
}
set-up-passkey-why = { $tenant } verlangt mehr, als Sie bisher nachgewiesen haben. Mit einem Passkey melden Sie sich künftig mit Fingerabdruck, Gesicht oder PIN an.
set-up-totp-why = { $tenant } verlangt einen zweiten Nachweis, dass Sie es sind. Eine Authenticator-App auf Ihrem Telefon zeigt alle 30 Sekunden einen neuen Code.
set-up-totp-begin = App einrichten
set-up-totp-scan = Scannen Sie dieses Bild mit der App.
set-up-totp-picture = QR-Code mit dem Schlüssel für Ihre App
set-up-totp-key = Sie können es nicht scannen? Geben Sie diesen Schlüssel in der App ein:
set-up-totp-code = Code, den die App zeigt
set-up-totp-submit = Einschalten

## Registrieren
register-title = Konto anlegen
register-submit = Konto anlegen
register-signin-ask = Sie haben schon ein Konto?
register-signin = Anmelden
sent-title = Sehen Sie in Ihr Postfach
sent-hint = Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder versuchen Sie es noch einmal.
register-sent-text = Wir haben eine Nachricht an { $email } gesendet. Öffnen Sie den Link darin, um Ihr Konto fertig anzulegen.
prove-sent-text = Wir haben eine Nachricht an { $email } gesendet. Öffnen Sie den Link darin, um zu bestätigen, dass dies Ihre Adresse ist. Danach geht es weiter.

## Adresse bestätigen
verify-title = E-Mail bestätigen
verify-text = Ist { $email } Ihre Adresse?
verify-choose = Wählen Sie, wie Sie sich als { $email } anmelden.
verify-submit = Ja, bestätigen
verify-passkey = Stattdessen einen Passkey erstellen
verify-ignore = Wenn Sie das nicht angefordert haben, schließen Sie diese Seite.

## Beitreten
join-title = { $tenant } beitreten?
join-text = Sie haben schon ein Konto: { $account }. Damit können Sie Mitglied bei { $tenant } werden.
join-submit = Als { $account } beitreten
join-ignore = Wenn Sie nicht beitreten möchten, schließen Sie diese Seite.
invite-title = { $organization } beitreten?
invite-text = { $email } ist zu { $organization } bei { $tenant } eingeladen.
invite-choose = Sie erhalten ein Konto für diese Adresse. Wählen Sie, wie Sie sich anmelden.
invite-other = Sie sind als eine andere Person angemeldet. Melden Sie sich als { $email } an, um anzunehmen.
invite-switch = Als { $email } anmelden
invite-submit = Einladung annehmen
invite-ignore = Wenn Sie das nicht möchten, schließen Sie diese Seite. Es geschieht nichts.

## Kontoverwaltung
account-menu = Ihr Konto
account-menu-open = Menü
account-skip = Menü überspringen
account-overview = Ihr Konto
account-profile = Profil
account-password = Passwort
account-passkeys = Passkeys und Sicherheitsschlüssel
account-identities = Verbundene Konten
account-second-factors = Bestätigung in zwei Schritten
account-backup-codes = Ersatzcodes
account-accounts = Konten in diesem Browser
account-sessions = Wo Sie angemeldet sind
account-login-history = Anmeldeverlauf
account-delegations = In Ihrem Namen
account-organizations = Organisationen
account-sso = Single Sign-On
account-data = Ihre Daten
account-proven = bestätigt
account-is-set = gesetzt
account-is-not-set = nicht gesetzt
account-apps = Authenticator-Apps
account-count = { $count ->
    [0] keine
   *[other] { $count }
}
account-save = Speichern
account-profile-text = Anwendungen, die Ihr Profil sehen dürfen, sehen, was Sie hier schreiben.
account-email = E-Mail-Adresse
account-email-text = Ihre neue Adresse gilt, sobald Sie den Link geöffnet haben, den wir dorthin senden. Bis dahin bleibt die jetzige.
account-phone = Telefonnummer
account-phone-text = Wir senden einen Code an die Nummer, um sicher zu sein, dass sie Ihre ist. Danach können Sie sich mit Codes anmelden, die dorthin gehen, und sie verwenden, wo ein zweiter Nachweis verlangt wird.
account-phone-label = Neue Telefonnummer
account-phone-sent = Ein Code ist unterwegs an { $number }. Die Nummer gilt, sobald Sie den Code eingegeben haben.
new-address-label = Neue E-Mail-Adresse
new-address-mail = Link senden
new-address-title = E-Mail-Adresse ändern
new-address-text = Soll { $email } die Adresse Ihres Kontos sein?
account-password-first = Sie haben noch kein Passwort. Mit einem können Sie sich in jedem Browser anmelden.
account-password-text = Sobald Sie ein neues Passwort speichern, werden Sie überall sonst abgemeldet.
given-name-label = Vorname
family-name-label = Nachname
nickname-label = Spitzname
passkeys-text = Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN an statt mit einem Passwort. Er gilt nur für diese Adresse, so dass ihn Ihnen niemand abschwatzen kann.
passkeys-none = Sie haben noch keinen Passkey.
passkeys-add = Passkey hinzufügen
security-keys-add = Sicherheitsschlüssel hinzufügen
security-keys-text = Ein Sicherheitsschlüssel ist ein kleines Gerät, das Sie bei der Anmeldung als zweiten Schritt berühren.
passkeys-security-key = Sicherheitsschlüssel, nach dem Passwort
passkeys-synced = Auf Ihre anderen Geräte kopiert
passkeys-bound = Nur auf einem Gerät
passkeys-elsewhere = Gilt bei { $host }, nicht hier.
passkeys-present = Dieses Gerät hat schon einen Passkey Ihres Kontos.
passkeys-not-made = Es wurde kein Passkey hinzugefügt. Versuchen Sie es noch einmal, wenn Sie so weit sind.
passkeys-not-able = Dieses Gerät kann keinen Passkey erstellen, der hier gilt. Nehmen Sie ein anderes Gerät oder einen Sicherheitsschlüssel.
identities-text = Sie können sich hier mit Konten anmelden, die Sie anderswo haben. Jedes öffnet dieses Konto wie Ihre anderen Wege, sich anzumelden.
identities-none = Es ist kein Konto verbunden.
identities-add = Ein Konto verbinden
identities-connect = { $name } verbinden
second-factors-text = Mit einer Authenticator-App auf Ihrem Telefon reicht ein erster Schritt allein, etwa ein Passwort, nicht, um sich als Sie anzumelden.
second-factors-add = App hinzufügen
credential-name = Name
credential-rename = Umbenennen
credential-remove = Entfernen
credential-added = Hinzugefügt am { $day }
credential-used = zuletzt benutzt am { $day }
credential-ends = bis { $day }
trusted-browsers = Browser, in denen nicht gefragt wird
trusted-browsers-forget = In allen wieder fragen
backup-codes-text = Mit einem Ersatzcode kommen Sie einmal hinein, wenn Ihr Telefon nicht zur Hand ist. Bewahren Sie die Codes auf Papier auf, getrennt von Ihrem Telefon.
backup-codes-left = { $count ->
    [0] Sie haben keine.
    [one] Sie haben noch { $count } Code.
   *[other] Sie haben noch { $count } Codes.
}
backup-codes-make = Neue Codes erzeugen
backup-codes-note = Mit neuen Codes gelten die alten nicht mehr.
backup-codes-once = Drucken Sie diese Codes jetzt aus, oder schreiben Sie sie ab. Sie werden nicht noch einmal gezeigt.
backup-codes-copy = Codes kopieren
backup-codes-copied = Die Codes sind kopiert.
backup-codes-print = Drucken
backup-codes-noted = Ich habe die Codes notiert
session-here = dieser Browser
session-unknown = Unbekannter Browser
session-since = Angemeldet
session-seen = gesehen
session-end = Dort abmelden
sessions-end-others = Überall sonst abmelden
accounts-text = Sie können hier mit mehreren Konten angemeldet sein und zwischen ihnen wechseln. Jedes bleibt angemeldet, bis Sie es abmelden.
accounts-present = in Gebrauch
accounts-use = Zu diesem Konto wechseln
accounts-end = Abmelden
accounts-add = Weiteres Konto hinzufügen
accounts-full = Mehr Konten fasst dieser Browser nicht. Ein weiteres meldet das Konto ab, das am längsten nicht benutzt wurde.
accounts-end-all = Von allen Konten abmelden
login-history-text = Wann und wo sich jemand bei Ihrem Konto angemeldet hat und was gescheitert ist, in den letzten drei Monaten.
login-history-none = Seit dies festgehalten wird, hat sich noch niemand angemeldet.
login-history-not-you = Waren Sie das einmal nicht?
login-success = Angemeldet
login-failure = Gescheitert
login-refused = Abgewiesen
login-disowned = Nicht Sie
login-when = Wann
login-with = Womit
login-from = Woher
login-by-password = mit Passwort
login-by-code = mit einem Code
login-by-key = mit Passkey oder Sicherheitsschlüssel
login-by-organization = über Ihre Organisation
login-by-provider = über einen anderen Anbieter
login-by-trusted-browser = in einem vertrauten Browser
login-new-device = Mit diesem Browser hatten Sie sich noch nicht angemeldet.
login-new-network = Aus diesem Netz hatten Sie sich noch nicht angemeldet.
login-unusual-hour = Um diese Tageszeit melden Sie sich sonst nicht an.
login-impossible-travel = Sie hatten sich kurz zuvor an einem Ort angemeldet, von dem man nicht so schnell hierher kommt.
login-many-failures = Binnen eines Tages waren mehrere Anmeldungen gescheitert.
login-disposable-address = Ihre Adresse gehört zu einem Anbieter von Wegwerfadressen.
undo-address-title = Waren Sie das?
undo-address-text = Das Konto, das die Adresse { $email } hatte, hat jetzt eine andere.
undo-address-yes = Wenn Sie sie selbst geändert haben, ist nichts zu tun: Schließen Sie diese Seite.
undo-address-submit = Nein, ich will meine Adresse zurück
undo-address-hint = Das Konto hat dann wieder diese Adresse. Wir beenden alles, was darin im Gange ist, auf allen Geräten, und nehmen zurück, was zuletzt hinzugekommen ist. Hat es ein Passwort, wählen Sie ein neues.
was-this-you-title = Waren Sie das?
was-this-you-entered = Jemand hat sich bei Ihrem Konto angemeldet.
was-this-you-refused = Jemand hatte, was man zur Anmeldung braucht, etwa Ihr Passwort, und wir haben die Anmeldung abgewiesen, weil sie zu ungewöhnlich war.
was-this-you-yes = Wenn Sie das waren, ist nichts zu tun: Schließen Sie diese Seite.
was-this-you-no = Nein, das war ich nicht
was-this-you-hint = Wir beenden dann alles, was in Ihrem Konto im Gange ist, auf allen Geräten. Hat es ein Passwort, wählen Sie ein neues.
delegations-text = Anwendungen und Agenten, die bei anderen Diensten für Sie handeln. Was Sie hier beenden, endet sofort, zusammen mit allem, was daraus entstanden ist.
delegations-none = Zurzeit handelt nichts für Sie.
delegation-purpose = Wozu:
delegation-end = Beenden, was { $app } für Sie tut
organizations-none = Sie gehören hier zu keiner Organisation. Eine Einladung erscheint auf dieser Seite.
organization-roles = Ihre Rollen:
organization-leave = { $organization } verlassen
organization-sso = Single Sign-On von { $organization } testen
account-sso-text = Testen Sie, ob die Personen Ihrer Organisationen zu deren Anbieter geführt werden können. Ein Test liest Schritt für Schritt, was der Anbieter veröffentlicht. Er meldet niemanden an und ändert keine Einstellung.
sso-none = Noch keine Ihrer Organisationen hat einen Anbieter.
sso-connection-on = eingeschaltet
sso-connection-off = ausgeschaltet
sso-test = { $name } testen
sso-test-usable = Personen können zu diesem Anbieter geführt werden.
sso-test-unusable = Über diesen Anbieter kann sich noch niemand anmelden.
sso-test-cut = Die Schritte nach dem gescheiterten wurden ausgelassen. Beheben Sie diesen und testen Sie dann noch einmal.
sso-test-first-sign-in = Ob der Anbieter diesen Client und sein Geheimnis annimmt und was er über Personen sagt, zeigt erst eine Anmeldung. Wenn die Verbindung eingeschaltet ist, öffnen Sie die Anmeldeseite in einem privaten Fenster und wählen Sie Single Sign-On mit einer Adresse Ihrer Organisation.
sso-redirect-uri = Redirect-URI, die beim Anbieter eingetragen sein muss:
sso-backchannel-uri = Back-Channel-Logout-URI, falls der Anbieter danach fragt:
sso-outcome-passed = Bestanden
sso-outcome-warning = Warnung
sso-outcome-failed = Gescheitert
sso-step-discovery = Beschreibung des Anbieters
sso-step-issuer = Name des Anbieters
sso-step-endpoints = Adressen
sso-step-keys = Schlüssel
sso-step-client-auth = Authentifizierung dieses Clients
sso-step-id-token = Signatur der ID-Token
sso-step-pkce = Schutz der Codes (PKCE)
sso-found-described = Der Anbieter beschreibt sich unter { $value }.
sso-found-unreachable = { $value } war nicht erreichbar. Prüfen Sie, ob der Issuer der Verbindung stimmt und ob der Anbieter aus dem Internet erreichbar ist.
sso-found-refused = Der Anbieter hat { $value } mit einem Fehler beantwortet. Suchen Sie den richtigen Issuer in den Einstellungen des Anbieters.
sso-found-no-document = Was unter { $value } steht, beschreibt keinen Anbieter. Suchen Sie den richtigen Issuer in den Einstellungen des Anbieters.
sso-found-same-issuer = Der Anbieter nennt sich so, wie es in der Verbindung steht.
sso-found-other-issuer = Der Anbieter nennt sich „{ $value }“. Tragen Sie genau das als Issuer der Verbindung ein.
sso-found-endpoints = Die Adressen für Anmeldung, Token und Schlüssel können aufgerufen werden.
sso-found-endpoint-missing = In der Beschreibung des Anbieters fehlt { $value }. Bitten Sie dessen Administrator, es zu veröffentlichen.
sso-found-endpoint-out-of-reach = Die Adresse in { $value } kann von hier nicht aufgerufen werden: Sie muss öffentlich sein und mit https beginnen. Bitten Sie den Administrator des Anbieters, sie zu berichtigen.
sso-found-keys = Die Schlüssel unter { $value } sind lesbar.
sso-found-no-keys = Unter { $value } ließen sich keine brauchbaren Schlüssel lesen. Bitten Sie den Administrator des Anbieters, dort einen Schlüsselsatz (JWKS) zu veröffentlichen.
sso-found-client-auth = Der Anbieter nimmt { $value } an, wie in der Verbindung eingestellt.
sso-found-other-client-auth = Der Anbieter nimmt die eingestellte Client-Authentifizierung nicht an. Stellen Sie eine von diesen ein: { $value }.
sso-found-id-tokens = Der Anbieter signiert ID-Token mit { $value }.
sso-found-other-id-tokens = Der Anbieter signiert ID-Token auf keine Weise, die hier gilt. Stellen Sie dort eine von diesen ein: { $value }.
sso-found-pkce = Der Anbieter prüft Codes mit S256.
sso-found-pkce-unsaid = Der Anbieter sagt nicht, dass er PKCE mit S256 unterstützt. Die Anmeldung geht trotzdem, und die Challenge wird dennoch gesendet. Schalten Sie PKCE dort ein, wenn es möglich ist.
invitation-to = Einladung zu { $organization }
invitation-join = { $organization } beitreten
invitation-decline = Ablehnen
data-text = Laden Sie herunter, was hier über Sie gespeichert ist: Ihr Profil, Ihre Anmeldewege ohne deren Geheimnisse, wo Sie angemeldet sind, was Sie Anwendungen erlaubt haben, und Ihre Organisationen. Die Datei ist JSON, das andere Programme lesen können.
data-submit = Herunterladen
account-deletion = Konto löschen
deletion-text = Sie werden sofort überall abgemeldet. { $count ->
    [0] Ihr Konto wird dann mit allem gelöscht, was darin ist.
    [one] Einen Tag lang können Sie Ihr Konto behalten: Melden Sie sich hier bei Ihrem Konto an und wählen Sie „Konto behalten“. Die Anmeldung allein genügt nicht. Danach ist es mit allem darin gelöscht.
   *[other] { $count } Tage lang können Sie Ihr Konto behalten: Melden Sie sich hier bei Ihrem Konto an und wählen Sie „Konto behalten“. Die Anmeldung allein genügt nicht. Danach ist es mit allem darin gelöscht.
}
deletion-sure = Ich möchte mein Konto löschen.
deletion-submit = Konto löschen
deletion-due = Ihr Konto wird am { $day } gelöscht.
deletion-keep = Konto behalten

## Passwort vergessen
forgot-title = Passwort zurücksetzen
forgot-text = Sagen Sie uns, wer Sie sind. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen.
forgot-submit = Link senden
forgot-sent-text = Wenn es ein passendes Konto gibt, ist ein Link für ein neues Passwort an dessen E-Mail-Adresse unterwegs.
reset-title = Neues Passwort wählen
reset-text = für { $account }
new-password-label = Neues Passwort
reset-submit = Passwort speichern

## Zustimmung
consent-title = { $app } möchte auf Ihr Konto zugreifen
consent-switch = Nicht Sie?
consent-allow = Zulassen
consent-deny = Nicht zulassen
consent-note = Lassen Sie das nur zu, wenn Sie { $app } vertrauen.
consent-home = Über diese Anwendung
scope-openid = Erkennen, wer Sie sind, wenn Sie sich anmelden
scope-profile = Ihr Profil sehen, etwa Name und Bild
scope-email = Ihre E-Mail-Adresse sehen
scope-address = Ihre Postanschrift sehen
scope-phone = Ihre Telefonnummer sehen
scope-offline-access = Diesen Zugriff behalten, auch wenn Sie nicht da sind
claim-name = Ihren vollen Namen sehen
claim-given-name = Ihren Vornamen sehen
claim-family-name = Ihren Nachnamen sehen
claim-middle-name = Ihren zweiten Vornamen sehen
claim-nickname = Ihren Spitznamen sehen
claim-preferred-username = Ihren Benutzernamen sehen
claim-profile = Die Adresse Ihrer Profilseite sehen
claim-picture = Ihr Bild sehen
claim-website = Die Adresse Ihrer Website sehen
claim-gender = Ihr Geschlecht sehen
claim-birthdate = Ihr Geburtsdatum sehen
claim-zoneinfo = Ihre Zeitzone sehen
claim-locale = Ihre Sprache sehen
claim-updated-at = Sehen, wann sich Ihr Profil zuletzt geändert hat
claim-email-verified = Sehen, ob Ihre E-Mail-Adresse bestätigt ist
claim-phone-number-verified = Sehen, ob Ihre Telefonnummer bestätigt ist

## Konto wählen
select-title = Konto wählen
select-other = Anderes Konto verwenden
organization-title = Organisation wählen
organization-legend = Ihre Organisationen
organization-submit = Weiter
organization-deny = Abbrechen
organization-none = Ihr Konto gehört noch zu keiner Organisation. Bitten Sie eine Administratorin oder einen Administrator Ihrer Organisation, Sie aufzunehmen, oder verwenden Sie ein anderes Konto.
organization-none-named = Ihr Konto gehört nicht zu der Organisation, nach der die Anwendung fragt. Verwenden Sie ein anderes Konto, oder gehen Sie zurück.

## What people are asked for
field-optional = (freiwillig)
field-choose = Auswählen
complete-title = Bevor es weitergeht
complete-text = { $tenant } braucht das von Ihnen.
complete-later = Nicht jetzt
terms-accept = Ich akzeptiere:
terms-submit = Akzeptieren
terms-none = Sie haben noch kein Dokument akzeptiert.
terms-version = Fassung:
terms-accepted = Akzeptiert:
account-terms = Bedingungen
account-terms-text = Die Dokumente, die Sie hier akzeptiert haben, und wann.
account-details = Ihre Angaben
account-details-text = Wonach { $tenant } Sie fragt.

## Geräte und Freigaben
device-title = Gerät verbinden
device-text = Geben Sie den Code ein, den Ihr Gerät anzeigt.
device-code-label = Code
device-submit = Weiter
device-warning = Fahren Sie nur fort, wenn Sie dies selbst an einem Gerät vor sich begonnen haben. Niemand, der Hilfe anbietet, braucht einen Code von Ihnen.
approvals-title = Wartet auf Ihre Freigabe
approvals-none = Es wartet nichts auf Sie.
approvals-warning = Lassen Sie nur zu, was Sie selbst begonnen haben, und nur, wenn hier alles mit dem übereinstimmt, was Sie dort sehen. Hat jemand Sie hierher geschickt, lassen Sie es nicht zu: Diese Person käme in Ihr Konto.
approvals-code = Ihr Gerät muss diesen Code anzeigen:
approvals-message = Die andere Seite muss diese Nachricht anzeigen:
approvals-expires = Gilt noch { $duration }.

## Abmelden
signout-title = Abmelden?
signout-app = { $app } bittet darum, Sie abzumelden.
signout-text = Sie werden in diesem Browser von { $tenant } abgemeldet.
signout-choose = Von welchem Konto möchten Sie sich in diesem Browser abmelden?
signout-submit = Abmelden
signout-stay = Um angemeldet zu bleiben, schließen Sie diese Seite.
signedout-title = Sie sind abgemeldet
signedout-text = Sie können dieses Fenster schließen.
signedout-others = Andere Konten sind in diesem Browser noch angemeldet.
signedout-others-link = Konten anzeigen

## Zurück zur Anwendung
formpost-title = Gleich geschafft
formpost-text = Sie werden zur Anwendung zurückgeleitet.

## Fehler und Hinweise in Formularen
error-wrong-credentials = Benutzername oder Passwort stimmt nicht. Versuchen Sie es noch einmal.
error-too-many-attempts = Zu viele Versuche. Warten Sie { $duration }, und versuchen Sie es dann wieder.
error-unavailable-for = Der Dienst ist gerade nicht erreichbar. Bitte warten Sie { $duration }, und versuchen Sie es dann wieder.
error-locked-out = Zu viele Versuche. Warten Sie { $duration }, oder setzen Sie Ihr Passwort zurück.
error-code-wrong = Dieser Code ist falsch, zu alt oder wurde schon benutzt. Warten Sie auf den nächsten und versuchen Sie es noch einmal.
error-app-lost = Der Schlüssel Ihrer Authenticator-App ist hier verloren gegangen, ihre Codes gelten deshalb nicht mehr. Melden Sie sich auf andere Weise an, etwa mit einem Ersatzcode, richten Sie dann die App in Ihrem Konto neu ein und entfernen Sie die alte. Wenn es keine andere Weise gibt, wenden Sie sich an den Betreiber dieses Dienstes.
error-backup-code-wrong = Dieser Ersatzcode ist falsch oder wurde schon benutzt. Prüfen Sie die Schreibweise, oder nehmen Sie einen anderen.
error-mail-code-wrong = Dieser Code ist falsch, zu alt oder schon benutzt. Sehen Sie in der neuesten E-Mail nach, oder lassen Sie sich einen neuen Code senden.
error-sign-in-unusual = Diese Anmeldung ist zu ungewöhnlich, um Sie einzulassen. Benutzen Sie einen Browser, in dem Sie sich schon angemeldet haben, oder einen Passkey, oder wählen Sie ein neues Passwort. Wir haben Ihnen eine E-Mail geschickt.
error-sign-in-unusual-untold = Diese Anmeldung ist zu ungewöhnlich, um Sie einzulassen. Benutzen Sie einen Browser, in dem Sie sich schon angemeldet haben, oder einen Passkey.
error-way-not-accepted = Dieser Anmeldeweg wird hier nicht akzeptiert.
error-sign-in-refused = Sie können sich hier jetzt nicht anmelden. Fragen Sie die Organisation, deren Anwendung Sie nutzen möchten.
error-sign-in-unavailable = Die Anmeldung ist gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.
error-second-factor-out-of-reach = Diese Anmeldung braucht die Bestätigung in zwei Schritten, und in Ihrem Konto ist sie nicht eingerichtet. Fragen Sie die Organisation, deren Anwendung Sie nutzen möchten.
error-mail-code-not-enough = Ein Code oder Link per E-Mail genügt für dieses Konto nicht. Melden Sie sich auf andere Weise an, etwa mit einem Passkey oder Ihrer Organisation.
error-mail-code-needs-password = Ein Code oder Link per E-Mail genügt für dieses Konto nicht, und es hat noch kein Passwort. Wählen Sie eines über „Passwort vergessen?“, und melden Sie sich damit an.
error-text-code-wrong = Dieser Code ist falsch, zu alt oder schon benutzt. Sehen Sie in der neuesten SMS nach, oder lassen Sie sich einen neuen Code senden.
error-text-code-not-enough = Ein Code per SMS genügt für dieses Konto nicht. Melden Sie sich mit Ihrem Passwort, einem Passkey oder Ihrer Organisation an.
error-provider-not-enough = Der Anbieter, der Sie angemeldet hat, gilt nur hier. Um zu ändern, wie Sie sich überall bei diesem Konto anmelden, genügt das nicht. Melden Sie sich mit Ihrem Passwort, einem Passkey oder einem zugesandten Code an.
error-provider-alone = Ihre Organisation lässt Sie sich nur bei ihrem Anbieter anmelden, der nur hier gilt. Für diese Seite genügt das nicht: Wenden Sie sich an den Administrator Ihrer Organisation.
error-phone-invalid = Geben Sie eine Telefonnummer mit der Vorwahl des Landes ein, etwa +49 30 901820.
error-phone-same = Ihr Konto hat diese Nummer schon.
error-email-enforced = Ihre Organisation bestimmt, wie Sie sich anmelden, und richtet sich nach dieser Adresse. Bitten Sie ihre Administration um eine andere.
error-phone-taken = Ein anderes Konto hat diese Nummer. Entfernen Sie sie zuerst dort.
error-sso-unknown = Für diese Adresse ist kein Single Sign-On eingerichtet. Melden Sie sich auf einem anderen Weg an.
error-sso-failed = Die Anmeldung über Ihre Organisation hat nicht geklappt. Versuchen Sie es noch einmal oder fragen Sie Ihre Administration.
error-sso-no-member = Sie sind bei Ihrer Organisation angemeldet, haben hier aber keinen Zugang. Fragen Sie Ihre Administration.
error-social-failed = Die Anmeldung dort hat nicht geklappt. Versuchen Sie es noch einmal, oder melden Sie sich auf anderem Weg an.
error-provider-not-fresh = Hier ist eine neue Anmeldung nötig, und Ihre Anmeldung dort ist zu alt. Melden Sie sich dort neu an, oder auf anderem Weg.
error-provider-declined = Die Anmeldung dort wurde abgebrochen, oder Sie dürfen diesen Dienst mit Ihrem Konto dort nicht nutzen. Versuchen Sie es noch einmal, oder melden Sie sich auf anderem Weg an.
error-provider-unfinished = Die Anmeldung dort wurde nicht abgeschlossen: Dort wird noch etwas von Ihnen verlangt. Versuchen Sie es noch einmal bis zum Ende, oder melden Sie sich auf anderem Weg an.
error-provider-unavailable = Die Anmeldung dort ist gerade nicht verfügbar. Versuchen Sie es später noch einmal, oder melden Sie sich auf anderem Weg an.
error-social-unknown = Mit jenem Konto ist hier noch keines verbunden. Melden Sie sich auf anderem Weg an, und verbinden Sie es dann in Ihrem Konto.
error-social-no-account = Es gibt kein Konto mit Ihrer Adresse, und neue Konten können hier nicht angelegt werden.
error-name-invalid = Schreiben Sie jeden Namen in eine Zeile mit höchstens 200 Zeichen.
error-credential-name = Schreiben Sie den Namen in eine Zeile mit höchstens 60 Zeichen.
error-second-factor-needed = Hier ist die Bestätigung in zwei Schritten nötig. Fügen Sie erst eine andere App hinzu.
error-second-factor-missing = Ersatzcodes vertreten den zweiten Schritt der Bestätigung. Richten Sie zuerst die Bestätigung in zwei Schritten ein.
error-organization-owned = Diese Organisation gehört Ihnen. Machen Sie zuerst ein anderes Mitglied zum Eigentümer.
error-sso-tested = Diese Verbindung wurde gerade erst getestet. Warten Sie zehn Sekunden und testen Sie sie dann noch einmal.
error-deletion-refused = Ihr Konto kann jetzt nicht gelöscht werden. Wenn Ihnen eine Organisation gehört, übergeben Sie sie erst einem anderen Mitglied.
error-deletion-unsure = Setzen Sie das Häkchen, um Ihr Konto zu löschen.
error-last-operator = Sie sind die letzte Person, die diesen Dienst verwalten kann. Geben Sie zuerst einem anderen Mitglied dieselben Rechte.
error-username-missing = Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.
error-captcha-missing = Bitte bestätigen Sie, dass Sie kein Roboter sind.
error-captcha-wrong = Die Prüfung ist fehlgeschlagen oder hat zu lange gedauert. Bitte versuchen Sie es noch einmal.
error-captcha-unknown = Die Prüfung auf Roboter ist gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.
captcha-working = Es wird geprüft, dass Sie kein Roboter sind …
captcha-done = Geprüft: Sie sind kein Roboter.
captcha-needs-script = Dieser Schritt braucht JavaScript: Er hält Roboter fern. Bitte schalten Sie es ein und laden Sie die Seite neu.
captcha-failed = Die Prüfung auf Roboter konnte nicht geladen werden. Falls etwas sie blockiert, etwa ein Werbeblocker, erlauben Sie sie und laden Sie die Seite neu.
error-password-missing = Geben Sie Ihr Passwort ein.
error-answers-incomplete = Etwas fehlt oder stimmt nicht. Prüfen Sie, was markiert ist.
error-terms-not-accepted = Akzeptieren Sie das, um fortzufahren.
error-answer-missing = Füllen Sie das aus.
error-answer-invalid = Das geht hier nicht. Prüfen Sie Ihre Eingabe.
error-answer-too-short = { $count ->
    [one] Verwenden Sie mindestens ein Zeichen.
   *[other] Verwenden Sie mindestens { $count } Zeichen.
}
error-answer-too-long = { $count ->
    [one] Verwenden Sie höchstens ein Zeichen.
   *[other] Verwenden Sie höchstens { $count } Zeichen.
}
error-name-missing = Geben Sie Ihren Namen ein.
error-email-invalid = Geben Sie eine E-Mail-Adresse ein, zum Beispiel sie@example.com.
error-email-same = Ihr Konto hat diese Adresse schon.
error-registration-refused = Mit dieser Adresse können Sie sich hier nicht registrieren. Nehmen Sie eine andere, oder fragen Sie die Organisation, deren Anwendung Sie nutzen möchten.
error-registration-unavailable = Die Registrierung ist gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.
error-password-too-short = { $count ->
    [one] Das Passwort braucht mindestens { $count } Zeichen.
   *[other] Das Passwort braucht mindestens { $count } Zeichen.
}
error-password-too-long = { $count ->
    [one] Das Passwort darf höchstens { $count } Zeichen haben.
   *[other] Das Passwort darf höchstens { $count } Zeichen haben.
}
error-password-too-common = Dieses Passwort ist leicht zu erraten. Wählen Sie ein anderes.
error-password-breached = Dieses Passwort ist aus dem Datenleck einer anderen Website bekannt. Wählen Sie ein anderes.
error-password-unchecked = Dieses Passwort kann gerade nicht geprüft werden. Bitte versuchen Sie es gleich noch einmal.
error-passkey-unknown = Dieser Passkey ist hier nicht bekannt. Vielleicht wurde er aus Ihrem Konto entfernt: Melden Sie sich anders an.
error-passkey-late = Das hat zu lange gedauert. Versuchen Sie es noch einmal.
error-passkey-locked = Entsperren Sie Ihren Passkey, wenn Ihr Gerät danach fragt, mit Fingerabdruck, Gesicht oder PIN.
error-passkey-failed = Der Passkey konnte nicht geprüft werden. Versuchen Sie es noch einmal oder melden Sie sich anders an.
error-last-credential = Das ist der letzte Weg, sich bei Ihrem Konto anzumelden. Fügen Sie zuerst einen anderen hinzu.
error-passkey-taken = Dieser Passkey konnte nicht hinzugefügt werden: Er ist schon in Gebrauch, oder Sie haben zu viele. Entfernen Sie einen, den Sie nicht mehr verwenden.
error-user-code = Dieser Code stimmt nicht oder ist abgelaufen. Sehen Sie noch einmal auf Ihr Gerät.
notice-sign-in-again = Bitte melden Sie sich noch einmal an, um fortzufahren.
notice-one-more-step = Noch ein Schritt: Weisen Sie auf einem zweiten Weg nach, dass Sie es sind.
notice-address-mailed = Wir haben einen Link an die neue Adresse gesendet. Öffnen Sie ihn, um die Änderung zu bestätigen.
notice-phone-added = Die Telefonnummer ist bestätigt.
notice-phone-removed = Die Telefonnummer wurde entfernt.
notice-account-kept = Ihr Konto bleibt.
notice-terms-accepted = Sie haben akzeptiert.
notice-details-saved = Ihre Angaben sind gespeichert.
notice-profile-saved = Ihr Profil ist gespeichert.
notice-credential-added = Hinzugefügt.
notice-social-known-address = Es gibt schon ein Konto mit Ihrer Adresse. Melden Sie sich dort an wie bisher; danach öffnet es sich auch mit dem anderen Konto.
notice-social-not-linked = Wir kennen jenes Konto noch nicht, und es bringt keine bestätigte Adresse mit. Melden Sie sich an wie bisher, oder legen Sie hier ein Konto an; danach öffnet es sich auch mit dem anderen Konto.
notice-identity-linked = Verbunden.
notice-identity-taken = Dieses Konto ist hier schon mit einem anderen verbunden, oder mit Ihrem ist schon ein anderes desselben Anbieters verbunden.
notice-credential-renamed = Umbenannt.
notice-credential-removed = Entfernt.
notice-browsers-forgotten = Jeder Browser fragt wieder nach dem zweiten Schritt.
notice-sessions-ended = Dort abgemeldet.
notice-account-switched = Sie haben das Konto gewechselt.
notice-account-signed-out = Sie sind von diesem Konto abgemeldet.
notice-other-account = Die Seite gehörte zu einem anderen Konto, deshalb wurde nichts geändert.
notice-signed-out-meanwhile = Sie wurden inzwischen abgemeldet, deshalb wurde nichts geändert. Melden Sie sich an und füllen Sie das Formular noch einmal aus.
notice-link-of-another = Dieser Link gehört zu einem anderen Konto als dem, das hier angemeldet ist. Melden Sie sich mit dem Konto an, das ihn angefordert hat.
notice-organization-left = Sie haben die Organisation verlassen.
notice-organization-joined = Sie gehören jetzt zur Organisation.
notice-invitation-declined = Sie haben die Einladung abgelehnt.
notice-invitation-gone = Die Einladung gilt nicht mehr.
notice-delegation-ended = Es wird nicht mehr für Sie gehandelt.
notice-password-changed = Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an.

## Ergebnisse
done-email-verified-title = E-Mail bestätigt
done-email-verified-text = Ihr Konto ist einsatzbereit.
done-deletion-begun-title = Ihr Konto wird gelöscht
done-deletion-begun-text = Sie sind überall abgemeldet. Wie Sie das Konto behalten, haben wir Ihnen gemailt.
done-address-changed-title = E-Mail-Adresse geändert
done-address-changed-text = Melden Sie sich ab jetzt mit Ihrer neuen Adresse an.
done-address-restored-title = Sie haben Ihre Adresse wieder
done-address-restored-text = Das Konto hat wieder diese Adresse, und wir haben alles beendet, was darin im Gange war. Sehen Sie bei Ihrer nächsten Anmeldung nach, wie man sich bei Ihrem Konto anmelden kann.
done-address-occupied-title = Diese Adresse hat jetzt ein anderes Konto
done-address-occupied-text = Die Änderung lässt sich nur zurücknehmen, solange kein anderes Konto die Adresse hat. Verständigen Sie die Betreiber dieses Dienstes.
done-password-changed-title = Passwort geändert
done-password-changed-text = Melden Sie sich ab jetzt mit Ihrem neuen Passwort an.
done-sign-in-disowned-title = Danke für den Hinweis
done-sign-in-disowned-text = Wir haben alles beendet, was in Ihrem Konto im Gange war. Sehen Sie bei Ihrer nächsten Anmeldung nach, wie man sich bei Ihrem Konto anmelden kann.
done-password-taken-title = Danke für den Hinweis
done-password-taken-text = Wir haben alles beendet, was in Ihrem Konto im Gange war, und das Passwort gilt nicht mehr. Bitten Sie Ihre Administration um ein neues, oder Ihre Vertrauenspersonen, falls Sie welche gewählt haben.
done-changed-since-title = Dieser Link kommt zu spät
done-changed-since-text = Nach dieser Anmeldung wurde das Passwort geändert, oder es wurde schon alles beendet. Wenn Sie das nicht waren, wählen Sie jetzt ein neues Passwort: Damit endet alles, was in Ihrem Konto im Gange ist. Sehen Sie danach nach, wie man sich bei Ihrem Konto anmelden kann.
done-invitation-accepted-title = Willkommen
done-invitation-accepted-text = Sie sind jetzt Mitglied der Organisation.
done-opened-elsewhere-title = Öffnen Sie den Link dort, wo Sie ihn angefordert haben
done-opened-elsewhere-text = Er meldet nur den Browser an, in dem Sie ihn angefordert haben. Öffnen Sie ihn dort, oder fordern Sie in diesem Browser einen neuen an. Wenn Sie keinen Link angefordert haben, ignorieren Sie die E-Mail.
done-link-expired-title = Dieser Link gilt nicht mehr
done-link-expired-text = Er wurde schon benutzt oder ist zu alt. Fordern Sie einen neuen an.
done-refused-title = Zugriff nicht erteilt
done-refused-text = Es wurde nichts weitergegeben. Sie können dieses Fenster schließen.
done-approved-title = Zugelassen
done-approved-text = Sie können zu Ihrem Gerät zurückkehren. Dort geht es gleich von selbst weiter.
done-support-allowed-title = Zugelassen
done-support-allowed-text = Der Support kann jetzt für die angefragte Zeit in Ihrem Konto handeln. Sie können dieses Fenster schließen.
done-decided-title = Diese Anfrage ist erledigt
done-decided-text = Sie wurde schon beantwortet, oder ihre Zeit ist abgelaufen. Jetzt wurde nichts geändert.

## Fehlerseiten
problem-request-title = Diese Anfrage lässt sich nicht ausführen
problem-request-text = Die Anwendung hat etwas gesendet, das wir nicht annehmen können. Gehen Sie zu ihr zurück und versuchen Sie es noch einmal; hilft das nicht, wenden Sie sich an ihren Anbieter.
problem-not-found-title = Seite nicht gefunden
problem-not-found-text = Unter dieser Adresse gibt es nichts. Prüfen Sie sie oder gehen Sie dorthin zurück, woher Sie kamen.
problem-large-title = Das ist zu groß
problem-large-text = Ihr Browser hat mehr gesendet, als wir annehmen. Gehen Sie zurück und senden Sie weniger. Geschieht das auf jeder Seite, löschen Sie die Cookies dieser Website.
problem-rate-title = Zu viele Anfragen
problem-rate-text = Bitte warten Sie ein wenig, bevor Sie es wieder versuchen.
problem-expired-title = Das ist abgelaufen
problem-expired-text = Gehen Sie zur Anwendung zurück und beginnen Sie von vorn.
problem-denied-title = Zugriff verweigert
problem-denied-text = Das dürfen Sie nicht tun. Wenn Sie meinen, dass Sie es dürfen sollten, fragen Sie die Betreiber dieses Dienstes.
problem-server-title = Etwas ist schiefgegangen
problem-server-text = Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal; tritt er wieder auf, nennen Sie die Anfrage-ID unten.
problem-unavailable-title = Gleich wieder da
problem-unavailable-text = Der Dienst ist gerade nicht erreichbar. Bitte versuchen Sie es in Kürze wieder.
problem-retry = Noch einmal versuchen
problem-code = Fehlercode
problem-detail = Einzelheiten für Entwickler
problem-request = Anfrage-ID

## E-Mails
mail-greeting = Guten Tag { $name },
mail-greeting-plain = Guten Tag,
mail-expires = Der Link ist { $duration } lang gültig und kann nur einmal verwendet werden.
mail-link = Wenn die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:
duration-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
}
duration-days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
}
duration-hours = { $count ->
    [one] { $count } Stunde
   *[other] { $count } Stunden
}
mail-verify-subject = Bestätigen Sie Ihre E-Mail-Adresse für { $tenant }
mail-verify-text = Bitte bestätigen Sie, dass dies Ihre Adresse ist, um Ihr Konto bei { $tenant } fertig anzulegen.
mail-verify-button = E-Mail bestätigen
mail-verify-ignore = Wenn Sie kein Konto angelegt haben, können Sie diese Nachricht ignorieren.
mail-prove-subject = { $tenant }: Bestätigen Sie Ihre E-Mail-Adresse
mail-prove-text = Jemand, hoffentlich Sie, möchte sich bei { $tenant } mit dem Konto anmelden, das diese Adresse hat. Bestätigen Sie, dass es Ihre Adresse ist, um fortzufahren.
mail-prove-button = E-Mail bestätigen
mail-prove-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Die Adresse bleibt unbestätigt.
mail-reset-subject = { $tenant }: Setzen Sie Ihr Passwort zurück
mail-reset-text = Jemand, hoffentlich Sie, hat bei { $tenant } ein neues Passwort für das Konto mit dieser Adresse angefordert. Hier können Sie es wählen.
mail-reset-button = Neues Passwort wählen
mail-reset-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Ihr Passwort bleibt, wie es ist.
mail-recovery-subject = { $tenant }: Wählen Sie ein neues Passwort
mail-recovery-text = Die Administration von { $tenant } schickt Ihnen diesen Link, mit dem Sie ein neues Passwort für das Konto mit dieser Adresse wählen können.
mail-recovery-button = Neues Passwort wählen
mail-recovery-ignore = Wenn Sie kein neues Passwort brauchen, ignorieren Sie diese Nachricht. Ihr Passwort bleibt, wie es ist.
mail-invitation-subject = { $tenant } lädt Sie ein
mail-invitation-text = Sie sind eingeladen, mit dem Konto, das diese Adresse hat, Mitglied von { $tenant } zu werden.
mail-invitation-button = Einladung annehmen
mail-invitation-ignore = Wenn Sie das nicht möchten, ignorieren Sie diese Nachricht. Es geschieht nichts.
mail-organization-invitation-subject = { $tenant }: { $organization } lädt Sie ein
mail-organization-invitation-text = Sie sind mit dem Konto, das diese Adresse hat, zu { $organization } bei { $tenant } eingeladen.
mail-organization-invitation-button = Einladung ansehen
mail-organization-invitation-ignore = Wenn Sie das nicht möchten, ignorieren Sie diese Nachricht. Es geschieht nichts.
mail-exists-subject = { $tenant }: Melden Sie sich mit Ihrem Konto an
mail-exists-text = Jemand, hoffentlich Sie, wollte mit dieser Adresse ein Konto bei { $tenant } anlegen. Mit dieser Adresse gibt es schon ein Konto: Dieser Link meldet Sie damit an und macht Sie zum Mitglied bei { $tenant }, falls Sie es noch nicht sind.
mail-exists-button = Anmelden
mail-exists-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Es hat sich nichts geändert.
mail-locked-subject = { $tenant }: zu viele falsche Passwörter für Ihr Konto
mail-locked-text = Jemand hat bei { $tenant } zu viele falsche Passwörter für das Konto mit dieser Adresse versucht. In Browsern, die Sie noch nicht benutzt haben, ruht die Anmeldung { $duration } lang. Wo Sie sich schon angemeldet haben, können Sie es weiterhin, und ein neues Passwort beendet die Pause.
mail-locked-button = Neues Passwort wählen
mail-locked-ignore = Wenn Ihr Passwort gut ist und Sie es nirgends sonst benutzen, ist nichts zu tun. Diese Nachricht kommt nur einmal.
mail-new-device-subject = { $tenant }: eine neue Anmeldung bei Ihrem Konto
mail-new-device-text = Soeben hat sich jemand bei Ihrem Konto bei { $tenant } angemeldet, mit einem Browser, den Sie noch nicht benutzt hatten, oder auf ungewöhnliche Weise. Waren Sie das? Sehen Sie nach, wann und wo es war, und sagen Sie uns, wenn Sie es nicht waren.
mail-new-device-button = Ansehen
mail-new-device-ignore = Wenn Sie das waren, ist nichts zu tun.
mail-sign-in-refused-subject = { $tenant }: wir haben eine Anmeldung abgewiesen
mail-sign-in-refused-text = Soeben hat jemand versucht, sich bei Ihrem Konto bei { $tenant } anzumelden, und hatte, was man dazu braucht, etwa Ihr Passwort. Wir haben die Anmeldung abgewiesen, weil sie zu ungewöhnlich war. Waren Sie das? Sehen Sie nach, wann und wo es war, und sagen Sie uns, wenn Sie es nicht waren.
mail-sign-in-refused-button = Ansehen
mail-sign-in-refused-ignore = Wenn Sie das waren, melden Sie sich mit einem Browser an, den Sie schon benutzt haben, oder mit einem Passkey.
mail-signin-link-subject = { $tenant }: Ihr Link zur Anmeldung
mail-signin-link-text = Das ist der Link zur Anmeldung bei { $tenant }. Öffnen Sie ihn in dem Browser, in dem Sie ihn angefordert haben.
mail-signin-link-button = Anmelden
mail-signin-link-ignore = Wenn Sie keinen Link angefordert haben, ignorieren Sie diese Nachricht. Der Link meldet keinen anderen Browser an als den, in dem er angefordert wurde.
text-sign-in = { $code } ist Ihr Code zur Anmeldung bei { $tenant }. Er gilt { $duration } lang. Geben Sie ihn an niemanden weiter.
text-new-password = { $code } ist Ihr Code für ein neues Passwort bei { $tenant }. Er gilt { $duration } lang. Geben Sie ihn an niemanden weiter.
text-new-number = { $code } bestätigt Ihre Telefonnummer bei { $tenant }. Der Code gilt { $duration } lang. Geben Sie ihn an niemanden weiter.
mail-code-subject = { $tenant }: Ihr Code zur Anmeldung
mail-code-text = Das ist der Code zur Anmeldung bei { $tenant }. Geben Sie ihn auf der Seite ein, die danach gefragt hat, und geben Sie ihn an niemanden weiter. Er ist { $duration } lang gültig und kann nur einmal verwendet werden.
mail-code-button = Ihr Code
mail-code-ignore = Wenn Sie keinen Code angefordert haben, ignorieren Sie diese Nachricht. Ohne den Code kommt niemand hinein.
mail-credential-added-subject = { $kind ->
    [app] { $tenant }: Ihrem Konto wurde eine Authenticator-App hinzugefügt
    [backup-codes] { $tenant }: neue Ersatzcodes für Ihr Konto
    [passkey] { $tenant }: Ihrem Konto wurde ein Passkey hinzugefügt
    [security-key] { $tenant }: Ihrem Konto wurde ein Sicherheitsschlüssel hinzugefügt
    [phone] { $tenant }: Ihrem Konto wurde eine Telefonnummer hinzugefügt
    [identity] { $tenant }: Ein anderes Konto wurde mit Ihrem verbunden
    [wallet] { $tenant }: Ihrem Konto wurde ein Wallet hinzugefügt
   *[other] { $tenant }: Ihrem Konto wurde ein Anmeldeweg hinzugefügt
}
mail-credential-added-text = { $kind ->
    [app] Ihrem Konto bei { $tenant } wurde eine Authenticator-App hinzugefügt. Ihre Codes gelten als Nachweis, dass Sie es sind.
    [backup-codes] Für Ihr Konto bei { $tenant } wurden neue Ersatzcodes erstellt. Die bisherigen gelten nicht mehr.
    [passkey] Ihrem Konto bei { $tenant } wurde ein Passkey hinzugefügt.
    [security-key] Ihrem Konto bei { $tenant } wurde ein Sicherheitsschlüssel hinzugefügt.
    [phone] Ihrem Konto bei { $tenant } wurde eine Telefonnummer hinzugefügt. Codes, die an sie gesendet werden, gelten als Nachweis, dass Sie es sind.
    [identity] Ein Konto, das anderswo besteht, wurde mit Ihrem Konto bei { $tenant } verbunden. Es öffnet Ihr Konto von nun an.
    [wallet] Ihrem Konto bei { $tenant } wurde ein Wallet hinzugefügt. Es öffnet Ihr Konto von nun an.
   *[other] Ihrem Konto bei { $tenant } wurde ein Weg hinzugefügt, nachzuweisen, dass Sie es sind.
}
mail-credential-added-button = Das war ich nicht
mail-credential-added-ignore = Wenn Sie es waren, ist nichts zu tun.
mail-credential-removed-subject = { $kind ->
    [app] { $tenant }: Eine Authenticator-App wurde aus Ihrem Konto entfernt
    [backup-codes] { $tenant }: Ersatzcodes wurden aus Ihrem Konto entfernt
    [passkey] { $tenant }: Ein Passkey wurde aus Ihrem Konto entfernt
    [security-key] { $tenant }: Ein Sicherheitsschlüssel wurde aus Ihrem Konto entfernt
    [phone] { $tenant }: Ihre Telefonnummer wurde aus Ihrem Konto entfernt
    [identity] { $tenant }: Ein verbundenes Konto wurde aus Ihrem Konto entfernt
    [wallet] { $tenant }: Ein Wallet wurde aus Ihrem Konto entfernt
   *[other] { $tenant }: Ein Anmeldeweg wurde aus Ihrem Konto entfernt
}
mail-credential-removed-text = { $kind ->
    [app] Aus Ihrem Konto bei { $tenant } wurde eine Authenticator-App entfernt.
    [backup-codes] Aus Ihrem Konto bei { $tenant } wurden Ersatzcodes entfernt.
    [passkey] Aus Ihrem Konto bei { $tenant } wurde ein Passkey entfernt.
    [security-key] Aus Ihrem Konto bei { $tenant } wurde ein Sicherheitsschlüssel entfernt.
    [phone] Aus Ihrem Konto bei { $tenant } wurde Ihre Telefonnummer entfernt.
    [identity] Aus Ihrem Konto bei { $tenant } wurde ein verbundenes Konto entfernt. Es öffnet Ihr Konto nicht mehr.
    [wallet] Aus Ihrem Konto bei { $tenant } wurde ein Wallet entfernt. Es öffnet Ihr Konto nicht mehr.
   *[other] Aus Ihrem Konto bei { $tenant } wurde ein Weg entfernt, nachzuweisen, dass Sie es sind.
}
mail-credential-removed-button = Das war ich nicht
mail-credential-removed-ignore = Wenn Sie es waren, ist nichts zu tun.
mail-handed-over-subject = Ihr Konto bei { $tenant } wurde Ihnen übergeben
mail-handed-over-text = Sie haben bestätigt, dass diese Adresse Ihnen gehört. Was dem Konto vorher hinzugefügt wurde, öffnet es nicht mehr: ein Passwort, Passkeys, Apps, Telefonnummern, verbundene Konten. Wer darin angemeldet war, ist abgemeldet.
mail-handed-over-button = Das war ich nicht
mail-handed-over-ignore = Wenn Sie es waren, ist nichts zu tun. Was Ihnen gehörte, können Sie in Ihrem Konto wieder hinzufügen.
mail-deletion-subject = { $tenant }: Ihr Konto wird gelöscht
mail-deletion-text = Sie möchten Ihr Konto bei { $tenant } löschen. { $duration } lang können Sie es behalten: Folgen Sie dem Link, melden Sie sich an und wählen Sie „Konto behalten“. Die Anmeldung allein genügt nicht. Danach ist es gelöscht.
mail-deletion-button = Konto behalten
mail-deletion-ignore = Wenn Sie es löschen möchten, ist nichts zu tun. Wenn Sie das nicht wollten, behalten Sie es und ändern Sie Ihr Passwort.
mail-new-address-subject = { $tenant }: Bestätigen Sie Ihre neue E-Mail-Adresse
mail-new-address-text = Sie möchten diese Adresse für Ihr Konto bei { $tenant } verwenden. Bestätigen Sie das mit diesem Link, angemeldet als Sie selbst.
mail-new-address-button = Adresse bestätigen
mail-new-address-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Es ändert sich nichts.
mail-address-taken-subject = { $tenant }: Diese Adresse hat schon ein Konto
mail-address-taken-text = Jemand, hoffentlich Sie, wollte diese Adresse für ein anderes Konto bei { $tenant } verwenden. Sie gehört schon zu einem Konto, deshalb hat sich nichts geändert. Um sie für ein anderes zu verwenden, geben Sie dem jetzigen erst eine andere Adresse.
mail-address-taken-button = Zu { $tenant }
mail-address-taken-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Es ändert sich nichts.
mail-address-changed-subject = { $tenant }: Ihr Konto hat eine andere E-Mail-Adresse
mail-address-changed-text = Das Konto, das bei { $tenant } diese Adresse hatte, hat jetzt eine andere. Mit dieser Adresse öffnet es sich nicht mehr.
mail-address-changed-button = Zu { $tenant }
mail-address-changed-ignore = Wenn Sie es nicht waren, verständigen Sie sofort die Betreiber dieses Dienstes.
mail-address-undo-subject = { $tenant }: Ihr Konto hat eine andere E-Mail-Adresse
mail-address-undo-text = Das Konto, das bei { $tenant } diese Adresse hatte, hat jetzt eine andere. Mit dieser Adresse öffnet es sich nicht mehr. Wenn Sie es nicht waren, nehmen Sie das zurück: Ihr Konto erhält wieder diese Adresse, und alles, was darin im Gange ist, endet. Hat es ein Passwort, wählen Sie ein neues.
mail-address-undo-button = Ansehen
mail-address-undo-ignore = Wenn Sie das waren, ist nichts zu tun.
mail-changed-subject = { $tenant }: Ihr Passwort wurde geändert
mail-changed-text = Das Passwort des Kontos mit dieser Adresse wurde soeben bei { $tenant } geändert. Wenn Sie das waren, ist nichts weiter zu tun.
mail-changed-button = Das war ich nicht
mail-changed-ignore = Wenn Sie es nicht waren, wählen Sie sofort ein neues Passwort und verständigen Sie die Betreiber dieses Dienstes.
mail-changed-first-subject = { $tenant }: Ihr Konto hat jetzt ein Passwort
mail-changed-first-text = Das Konto mit dieser Adresse hatte kein Passwort; soeben wurde bei { $tenant } eines festgelegt. Wenn Sie das waren, ist nichts weiter zu tun.
mail-changed-first-button = Das war ich nicht
mail-changed-first-ignore = Wenn Sie es nicht waren, wählen Sie sofort ein neues Passwort und verständigen Sie die Betreiber dieses Dienstes.
problem-again-title = Bitte beginnen Sie noch einmal
problem-again-text = Hier geht es nicht weiter: Die Seite war zu lange geöffnet, wurde in einem anderen Browser geöffnet oder nur über ihre Adresse aufgerufen. Beginnen Sie in der Anwendung noch einmal.
problem-back = Zurück zu { $app }
mismatch-sent = Gesendet
mismatch-registered = Registriert
signout-unregistered = Die Anwendung wollte zu einer Adresse zurückkehren, die sie nicht registriert hat. Deshalb führt von hier kein Weg zu ihr zurück.
start-account = Sie sind als { $account } angemeldet.
start-approvals = Anfragen von anderen Geräten
start-text = Hier melden Sie sich an. Öffnen Sie die Anwendung, die Sie verwenden möchten; sie führt Sie hierher.

## Languages, access, applications that no one has checked
language-name = Deutsch
language = Sprache
sent-resend = Nachricht erneut senden
register-again = Andere Adresse verwenden
forgot-again = Anderen Namen versuchen
signin-for-device = um ein Gerät zu verbinden
signin-for-approvals = um Anfragen von anderen Geräten zu beantworten
signin-for-access = um zu sehen, was Anwendungen dürfen
signin-for-account = um Ihr Konto zu verwalten
signin-for-invitation = um eine Einladung anzunehmen
select-signed-out = Abgemeldet
consent-identity = Über Sie
consent-api = In { $api }
consent-write = Kann Änderungen vornehmen
consent-foreign = { $app } wird nicht von { $tenant } betrieben.
consent-unverified = { $app } hat sich selbst registriert. Niemand bei { $tenant } hat den Namen oder die Angaben geprüft, und { $tenant } betreibt diese Anwendung nicht.
consent-destination = Wenn Sie zustimmen, geht es weiter zu
consent-take-back = Sie können das jederzeit zurücknehmen:
consent-organization = Dieser Zugriff gilt für Ihre Organisation:
access-title = Anwendungen mit Zugriff
access-none = Sie haben keiner Anwendung Zugriff auf Ihr Konto erlaubt.
access-remove = { $app } den Zugriff entziehen
access-note = Eine Anwendung, der Sie den Zugriff entziehen, verliert ihn sofort und muss Sie erneut fragen.
leaving-title = Diese Anfrage wurde abgelehnt
leaving-text = { $app } hat eine Anfrage gesendet, die nicht bearbeitet werden kann.
leaving-warning = Der Link unten führt zu einer Seite, die niemand bei { $tenant } geprüft hat. Folgen Sie ihm nur, wenn Sie sie kennen, und geben Sie dort Ihr Passwort nicht ein.
leaving-go = Weiter zu { $destination }

## Accounts of Ethereum
siwe-link = Mit Ethereum anmelden
siwe-wallet = Wallet dieses Browsers verwenden
siwe-needs = Sie brauchen ein Wallet mit einem Ethereum-Konto. Hat dieser Browser keines, geben Sie die Adresse des Kontos ein, signieren die Nachricht in Ihrem Wallet und fügen die Signatur ein.
siwe-address = Adresse Ihres Kontos
siwe-address-hint = 0x und 40 Stellen.
siwe-chain = Blockchain
siwe-next = Nachricht zum Signieren anzeigen
siwe-text = Signieren Sie diese Nachricht mit Ihrem Wallet. Das kostet nichts und löst keine Transaktion aus.
siwe-sign = Mit dem Wallet signieren
siwe-message = Nachricht
siwe-signature = Signatur
siwe-submit = Signatur senden
siwe-other = Andere Adresse verwenden
siwe-cancelled = Das Wallet hat nicht geantwortet. Versuchen Sie es noch einmal, oder signieren Sie die Nachricht anderswo und fügen Sie die Signatur ein.
siwe-missing = Kein Wallet dieses Browsers hat dieses Konto. Wählen Sie das Konto im Wallet aus, oder fügen Sie die Signatur ein.
login-by-wallet = mit einem Wallet
error-siwe-address = Das ist keine Ethereum-Adresse. Prüfen Sie, ob Sie sich vertippt haben: Großbuchstaben zählen.
error-siwe-chain = Wählen Sie eine der hier angebotenen Blockchains.
error-siwe-late = Diese Nachricht ist zu alt oder wurde schon verwendet. Beginnen Sie von vorn.
error-siwe-failed = Die Signatur ist keine dieses Kontos zu dieser Nachricht. Signieren Sie genau diese Nachricht.
error-siwe-unavailable = Die Signatur kann gerade nicht geprüft werden. Versuchen Sie es in einigen Minuten noch einmal, oder melden Sie sich anders an.
error-siwe-not-enough = Hier wird mehr verlangt als eine Signatur. Melden Sie sich anders an.
notice-siwe-not-linked = Mit dieser Adresse ist hier noch kein Konto verbunden. Melden Sie sich an wie bisher; von da an öffnet auch sie Ihr Konto.

## Vertrauenspersonen und Wiederherstellung durch sie
account-guardians = Vertrauenspersonen
account-guarding = Wem Sie beistehen
guardians-text = Vertrauenspersonen sind Menschen, denen Sie vertrauen und die hier ein Konto haben. Wenn Sie sich nicht mehr anmelden können, bestätigen sie gemeinsam, dass Sie es sind. Eine allein kann nichts ausrichten, und keine sieht Ihr Konto.
guardians-are-ready = { $count ->
    [one] Eine Vertrauensperson zählt, { $threshold } sind nötig. Ihre Vertrauenspersonen können Ihnen helfen.
   *[other] { $count } Vertrauenspersonen zählen, { $threshold } sind nötig. Ihre Vertrauenspersonen können Ihnen helfen.
}
guardians-are-not-ready = { $count ->
    [0] Noch zählt keine Vertrauensperson. Laden Sie welche ein und speichern Sie unten, wie viele nötig sind; bis dahin können sie Ihnen nicht helfen.
    [one] Eine Vertrauensperson zählt. Speichern Sie unten, wie viele nötig sind, sobald genügend angenommen haben; bis dahin können sie Ihnen nicht helfen.
   *[other] { $count } Vertrauenspersonen zählen. Speichern Sie unten, wie viele nötig sind; bis dahin können sie Ihnen nicht helfen.
}
guardian-active = Vertrauensperson
guardian-inactive = kann sich zurzeit nicht anmelden
guardian-invited = eingeladen
guardian-since = Vertrauensperson seit { $day }
guardian-invited-on = Eingeladen am { $day }
guardian-remove = { $email } entfernen
guardian-email = E-Mail-Adresse einer Person, der Sie vertrauen
guardian-invite = Einladen
guardian-rules = Was nötig ist
guardian-threshold = Vertrauenspersonen, die bestätigen müssen
guardian-wait = Stunden, die danach gewartet wird
guardian-wait-hint = Von { $least } bis { $most } Stunden. In dieser Zeit erfahren Sie es auf jedem Weg und können abbrechen.
guardian-rules-submit = Speichern
guardians-asked = Jemand bittet Ihre Vertrauenspersonen, Ihr Konto wiederherzustellen.
guardians-asked-text = Wenn Sie das nicht waren, brechen Sie es jetzt ab. Wer von genügend Vertrauenspersonen bestätigt ist, kann ein neues Passwort wählen.
guardians-too-few = Es zählen weniger Vertrauenspersonen als nötig: Ihr Konto lässt sich über sie nicht wiederherstellen.
guardians-look = Ansehen
guardians-confirmed = { $count } von { $most } bestätigt
guardians-ready-at = neues Passwort möglich ab
guarding-text = Diese Menschen vertrauen darauf, dass Sie bestätigen, dass sie es sind, wenn sie sich nicht mehr anmelden können.
guarding-none = Sie sind für niemanden Vertrauensperson.
guarding-wait = Jemand wartet auf Ihre Antwort:
guarding-invited = { $name } bittet Sie, Vertrauensperson zu sein: zu bestätigen, dass sie oder er es ist, wenn die Anmeldung nicht mehr gelingt. Vom Konto sehen Sie nichts.
guarding-accept = Annehmen
guarding-decline = Ablehnen
guarding-leave = Nicht mehr Vertrauensperson von { $name } sein
guarding-asked = Jemand gibt sich als { $name } aus und bittet um Ihre Hilfe, seit
guarding-call = Rufen Sie { $name } zuerst unter einer Nummer an, die Sie kennen, und lassen Sie sich den Code vorlesen. Nehmen Sie den Code nie aus einer Nachricht und nie von einer Stimme, die Sie nicht kennen.
guarding-answered = Sie haben geantwortet. Antworten Sie noch einmal, so zählt die letzte Antwort.
guarding-code = Der Code, den { $name } Ihnen vorliest
guarding-confirm = Bestätigen
guarding-refuse = Das ist jemand anderes
forgot-guardians = Ich kann meine E-Mails nicht lesen: meine Vertrauenspersonen fragen
recovery-ask-title = Vertrauenspersonen fragen
recovery-ask-text = Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein. Wenn das Konto Vertrauenspersonen hat, bitten wir sie, zu bestätigen, dass Sie es sind.
recovery-ask-submit = Fragen
recovery-title = Wiederherstellung durch Ihre Vertrauenspersonen
recovery-text = Wenn das Konto { $account } Vertrauenspersonen hat, sind sie gefragt worden. Rufen Sie sie an und lesen Sie jeder diesen Code vor:
recovery-code-text = Eine Vertrauensperson, die diesen Code eingibt, bestätigt diesen Browser und keinen anderen. Bleiben Sie bei diesem Browser: Nur hier können Sie ein neues Passwort wählen.
recovery-confirmed = { $count ->
    [one] Eine Vertrauensperson hat bestätigt.
   *[other] { $count } Vertrauenspersonen haben bestätigt.
}
recovery-reached = Genügend Vertrauenspersonen haben bestätigt. Sie können hier ein neues Passwort wählen ab
recovery-come-back = Kommen Sie mit diesem Browser auf diese Seite zurück, um zu sehen, wie weit es ist.
recovery-ready = Ihre Vertrauenspersonen haben bestätigt. Wählen Sie ein neues Passwort.
recovery-ready-hint = Sie werden überall abgemeldet, und Passkeys, Apps, Telefonnummern, Ersatzcodes, verbundene Konten und vertraute Browser werden entfernt. Richten Sie danach ein, was Sie brauchen.
recovery-submit = Passwort setzen
recovery-over = Es ist zu viel Zeit vergangen, oder es wurde abgebrochen. Sie können noch einmal fragen.
recovery-again = Von vorn beginnen
recovery-cancel-title = Wiederherstellung abbrechen?
recovery-cancel-text = Jemand bittet Ihre Vertrauenspersonen, Ihr Konto wiederherzustellen. Wenn Sie das nicht waren, brechen Sie es ab.
recovery-cancel-submit = Wiederherstellung abbrechen
recovery-cancel-hint = Ihr Konto bleibt, wie es ist. Wenn Sie selbst darum gebeten haben, schließen Sie diese Seite.
notice-guardian-invited = Wir haben eine Einladung verschickt.
notice-guardian-removed = Die Vertrauensperson ist entfernt.
notice-guardian-rules-saved = Was nötig ist, ist gespeichert.
notice-guardian-accepted = Sie sind jetzt Vertrauensperson.
notice-guardian-left = Sie sind dort keine Vertrauensperson.
notice-recovery-confirmed = Ihre Bestätigung zählt.
notice-recovery-refused = Wir haben festgehalten, dass es jemand anderes ist.
notice-recovery-cancelled = Die Wiederherstellung ist abgebrochen.
error-guardian-self = Geben Sie die Adresse einer anderen Person ein.
error-guardian-known = Diese Adresse ist schon eingeladen.
error-guardians-full = Sie haben { $count } Vertrauenspersonen, mehr sind nicht möglich. Entfernen Sie erst eine.
error-apps-full = Sie haben { $count } Apps, mehr sind nicht möglich. Entfernen Sie erst eine.
error-threshold = Wählen Sie mindestens { $count } und nicht mehr als die Vertrauenspersonen, die zählen.
error-wait = Wählen Sie { $count } bis 720 Stunden.
error-recovery-code-wrong = Dieser Code ist falsch. Lassen Sie ihn sich noch einmal vorlesen.
error-recovery-over = Diese Wiederherstellung ist vorbei, oder sie begann, bevor Sie Vertrauensperson waren.
done-recovery-cancelled-title = Die Wiederherstellung ist abgebrochen
done-recovery-cancelled-text = Ihr Konto bleibt, wie es ist. Wenn jemand Ihr Passwort kennen könnte, ändern Sie es.
done-recovered-title = Sie haben Ihr Konto zurück
done-recovered-text = Melden Sie sich mit dem neuen Passwort an und richten Sie Ihre Passkeys und die Bestätigung in zwei Schritten neu ein.
text-recovery = Ihr Konto bei { $tenant } wird durch Ihre Vertrauenspersonen wiederhergestellt. Wenn Sie das nicht waren, brechen Sie es über unsere E-Mail ab oder melden Sie sich an.
mail-guardian-invitation-subject = { $tenant }: { $person } bittet Sie, Vertrauensperson zu sein
mail-guardian-invitation-text = { $person } vertraut Ihnen und bittet Sie, bei { $tenant } Vertrauensperson zu sein: zu bestätigen, dass sie oder er es ist, wenn die Anmeldung nicht mehr gelingt. Melden Sie sich mit dem Konto an, das diese Adresse hat, oder registrieren Sie eines, und antworten Sie. Dafür haben Sie { $duration } Zeit.
mail-guardian-invitation-button = Antworten
mail-guardian-invitation-ignore = Wenn Sie { $person } nicht kennen, ignorieren Sie diese Nachricht.
mail-guardian-accepted-subject = { $tenant }: { $person } ist jetzt Ihre Vertrauensperson
mail-guardian-accepted-text = { $person } hat angenommen, Vertrauensperson für Ihr Konto bei { $tenant } zu sein.
mail-guardian-accepted-button = Vertrauenspersonen ansehen
mail-guardian-accepted-ignore = Wenn Sie niemanden eingeladen haben, entfernen Sie die Vertrauensperson und ändern Sie Ihr Passwort.
mail-guardian-left-subject = { $tenant }: { $person } ist nicht Ihre Vertrauensperson
mail-guardian-left-text = { $person } hat abgelehnt oder ist nicht mehr Vertrauensperson für Ihr Konto bei { $tenant }. Sehen Sie nach, ob noch genügend da sind.
mail-guardian-left-button = Vertrauenspersonen ansehen
mail-guardian-left-ignore = Sonst ist nichts zu tun.
mail-guardian-rules-subject = { $tenant }: Die Regeln für Ihre Vertrauenspersonen wurden geändert
mail-guardian-rules-text = Es wurde geändert, wie viele Vertrauenspersonen bestätigen müssen oder wie lange Ihr Konto bei { $tenant } danach wartet.
mail-guardian-rules-button = Vertrauenspersonen ansehen
mail-guardian-rules-ignore = Wenn Sie das nicht waren, machen Sie es rückgängig und wählen Sie ein neues Passwort.
mail-recovery-asked-subject = { $tenant }: { $person } braucht vielleicht Ihre Hilfe
mail-recovery-asked-text = Jemand gibt sich als { $person } aus und kann sich bei { $tenant } nicht mehr anmelden. Rufen Sie { $person } zuerst unter einer Nummer an, die Sie kennen, und lassen Sie sich den Code vorlesen. Nehmen Sie ihn nie aus einer Nachricht. Melden Sie sich dann an und geben Sie ihn ein.
mail-recovery-asked-button = Antworten
mail-recovery-asked-ignore = Wenn Sie { $person } nicht erreichen, tun Sie nichts: Ihr Schweigen ändert nichts.
mail-recovery-opened-subject = { $tenant }: jemand bittet Ihre Vertrauenspersonen, Ihr Konto wiederherzustellen
mail-recovery-opened-text = Jemand, hoffentlich Sie, hat Ihre Vertrauenspersonen gebeten, Ihr Konto bei { $tenant } wiederherzustellen. Wenn genügend bestätigt haben und die Wartezeit vorbei ist, kann diese Person ein neues Passwort wählen. Wenn Sie das nicht waren, brechen Sie es hier ab.
mail-recovery-opened-button = Wiederherstellung abbrechen
mail-recovery-opened-ignore = Wenn Sie das waren, ist nichts zu tun: Lesen Sie Ihren Vertrauenspersonen den Code vor.
mail-recovery-confirmed-subject = { $tenant }: eine Vertrauensperson hat die Wiederherstellung bestätigt
mail-recovery-confirmed-text = { $person } hat bestätigt, dass Sie um die Wiederherstellung Ihres Kontos bei { $tenant } bitten. Wenn Sie das nicht waren, brechen Sie es hier ab.
mail-recovery-confirmed-button = Wiederherstellung abbrechen
mail-recovery-confirmed-ignore = Wenn Sie das waren, ist nichts zu tun.
mail-recovery-refused-subject = { $tenant }: eine Vertrauensperson hat die Wiederherstellung abgelehnt
mail-recovery-refused-text = { $person } sagt, dass nicht Sie um die Wiederherstellung Ihres Kontos bei { $tenant } bitten. Wenn Sie das nicht waren, brechen Sie es hier ab.
mail-recovery-refused-button = Wiederherstellung abbrechen
mail-recovery-refused-ignore = Wenn Sie das waren, rufen Sie { $person } an.
mail-recovery-reached-subject = { $tenant }: Ihr Konto wird wiederhergestellt
mail-recovery-reached-text = Genügend Vertrauenspersonen haben bestätigt. Ihr Konto bei { $tenant } wartet nun { $duration }. Danach kann in dem Browser, aus dem die Anfrage kam, ein neues Passwort gewählt werden. Wenn Sie das nicht waren, brechen Sie es vorher ab.
mail-recovery-reached-button = Wiederherstellung abbrechen
mail-recovery-reached-ignore = Wenn Sie das waren, kommen Sie in dem Browser, in dem Sie gefragt haben, auf die Seite zurück.
mail-recovered-subject = { $tenant }: Ihr Konto wurde wiederhergestellt
mail-recovered-text = Ihre Vertrauenspersonen haben bestätigt, und Ihr Konto bei { $tenant } hat ein neues Passwort. Sie sind überall abgemeldet, und alles andere, was das Konto öffnete, wurde entfernt.
mail-recovered-button = Anmelden
mail-recovered-ignore = Wenn Sie das nicht waren, fordern Sie sofort ein neues Passwort an und sagen Sie { $tenant } Bescheid.

## Gäste
anonymous-submit = Als Gast fortfahren
guest-name = Gast
notice-here-as-guest = Sie sind als Gast hier. Wenn Sie ein Konto anlegen, behalten Sie, was Sie hier haben; wenn Sie sich mit einem anderen Konto anmelden, bleibt es zurück.
account-keep = Konto behalten
keep-text = Sie sind als Gast hier: Nur dieser Browser öffnet Ihr Konto, und es wird gelöscht, wenn Sie es nicht mehr verwenden. Geben Sie eine E-Mail-Adresse an, um es zu behalten. Über einen Link in der E-Mail wählen Sie, wie Sie sich anmelden; öffnen Sie ihn in diesem Browser.
done-guest-elsewhere-title = Öffnen Sie den Link im Browser, den Sie verwendet haben
done-guest-elsewhere-text = Er ist dazu da, das Konto eines Gastes zu behalten. Es ist in dem Browser, in dem Sie den Link angefordert haben. Öffnen Sie ihn dort. Wenn Sie keinen Link angefordert haben, ignorieren Sie die E-Mail.
done-guest-deleted-title = Ihr Konto wird gelöscht
done-guest-deleted-text = Sie sind abgemeldet, und was über Sie gespeichert war, wird in wenigen Minuten gelöscht.

# Support staff who act for people
acting-label = Zugriff des Supports
acting-text = Sie handeln als { $account }.
acting-end = Beenden
acting-account = Zum Konto
account-support = Zugriff des Supports
support-about = Wenn Sie Hilfe brauchen, kann der Support für begrenzte Zeit in Ihrem Konto handeln. Er sieht, was Sie sehen, und kann nicht ändern, wie Sie sich anmelden. Sie können das hier jederzeit beenden.
support-none = Der Support hat noch nicht in Ihrem Konto gehandelt.
support-to-approvals = Auf die Anfrage des Supports antworten
support-reason = Grund:
support-asks = { $person } vom Support möchte in Ihrem Konto handeln
support-what = Der Support sieht in den Anwendungen, was Sie sehen. Passwort, Adresse und Anmeldung kann er nicht ändern, und er erlaubt nichts in Ihrem Namen. Sie können das jederzeit beenden.
support-end = Zugriff beenden
support-waiting = wartet auf Sie
support-ready = genehmigt, nicht begonnen
support-active = handelt jetzt
support-refused = abgelehnt
support-expired = nicht rechtzeitig genutzt
support-ended = beendet
notice-support-ended = Der Support kann nicht mehr in Ihrem Konto handeln.
login-impersonated = Support begann, für Sie zu handeln
impersonate-title = Für eine Person handeln
impersonate-text = Sie werden im Konto von { $account } handeln.
impersonate-hint = Alles, was Sie tun, wird mit Ihrem Namen ({ $account }) festgehalten. Ihre eigene Anmeldung bleibt und ist wieder da, wenn Sie aufhören.
impersonate-submit = Beginnen
done-impersonation-link-title = Dieser Link funktioniert hier nicht
done-impersonation-link-text = Er funktioniert einmal, fünf Minuten lang, und nur in dem Browser, in dem die Person angemeldet ist, die ihn angefordert hat. Fordern Sie einen neuen Link an.
mail-impersonation-asked-subject = { $tenant }: Der Support möchte in Ihrem Konto handeln
mail-impersonation-asked-text = { $person } vom Support von { $tenant } möchte für begrenzte Zeit in Ihrem Konto handeln. Melden Sie sich an, um den Grund zu sehen und zu genehmigen oder abzulehnen.
mail-impersonation-asked-button = Anfrage ansehen
mail-impersonation-asked-ignore = Wenn Sie nichts tun, erhält niemand Zugriff.
mail-impersonation-started-subject = { $tenant }: Der Support handelt in Ihrem Konto
mail-impersonation-started-text = { $person } vom Support von { $tenant } handelt seit eben für begrenzte Zeit in Ihrem Konto. Den Grund sehen Sie in Ihrem Konto; dort können Sie es auch beenden.
mail-impersonation-started-button = Ansehen oder beenden
mail-impersonation-started-ignore = Wenn Sie keine Hilfe vom Support brauchen, beenden Sie es und sagen Sie uns Bescheid.
mail-impersonation-ended-subject = { $tenant }: Der Support hat in Ihrem Konto gehandelt
mail-impersonation-ended-text = { $person } vom Support von { $tenant } hat in Ihrem Konto gehandelt. Das ist vorbei. Den Grund sehen Sie in Ihrem Konto.
mail-impersonation-ended-button = Ansehen
mail-impersonation-ended-ignore = Wenn Sie keine Hilfe vom Support brauchten, sagen Sie uns Bescheid.
support-minutes = Für { $duration }.

## Recovery by a proven factor

signin-for-recovery = Weisen Sie zuerst nach, dass Sie es sind. Danach wählen Sie das neue Passwort.
recover-others = oder weisen Sie auf anderem Weg nach, dass Sie es sind
recover-sms = Code per SMS verwenden
recover-passkey = Passkey verwenden
recover-start-again = Zurück zu allen Wegen
error-phone-alone-not-enough = Ein Code per SMS allein genügt für dieses Konto nicht, das die Bestätigung in zwei Schritten verlangt. Wählen Sie einen anderen Weg.
text-password-changed = Das Passwort Ihres Kontos bei { $tenant } wurde geändert. Wenn Sie das nicht waren, wählen Sie über „Passwort vergessen?“ auf der Anmeldeseite sofort ein neues.

## Registration by a mailed code

register-by-code = Code per E-Mail verwenden, ohne Passwort
register-code-sent = Eine Nachricht an { $email } ist unterwegs. Geben Sie den Code daraus hier ein. Wenn Sie schon ein Konto haben, folgen Sie der Nachricht.
register-name-text = { $email } ist Ihre Adresse. Wie heißen Sie?
mail-registration-code-subject = { $tenant }: Ihr Code für ein neues Konto
mail-registration-code-text = Das ist der Code für Ihr neues Konto bei { $tenant }. Geben Sie ihn auf der Seite ein, die danach gefragt hat, und geben Sie ihn an niemanden weiter. Er ist { $duration } lang gültig und kann nur einmal verwendet werden.
mail-registration-code-button = Ihr Code
mail-registration-code-ignore = Wenn Sie keinen Code angefordert haben, ignorieren Sie diese Nachricht. Ohne den Code entsteht kein Konto.

## Preview of branding and texts
preview-title = Vorschau des Aussehens
preview-text = Sehen Sie Seiten und Mails, bevor Sie ihr Aussehen speichern. Was Sie hier eingeben, wird nicht behalten.
preview-page = Seite oder Mail
preview-scheme = Farben
preview-light = Hell
preview-dark = Dunkel
preview-width = Bildschirm
preview-wide = Computer
preview-phone = Telefon
preview-organization = Organisation, mit ihrem Kurznamen
preview-accent = Akzentfarbe
preview-radius = Rundung der Ecken, in Pixeln
preview-font = Schriftart
preview-font-system = Schrift des Systems
preview-font-humanist = Humanistisch
preview-font-geometric = Geometrisch
preview-font-rounded = Gerundet
preview-font-serif = Mit Serifen
preview-font-monospace = Feste Breite
preview-logo = Adresse des Logos
preview-sender = Absender von Mails
preview-texts = Eigene Texte in dieser Sprache
preview-texts-hint = Je Zeile einer: der Schlüssel, ein Gleichheitszeichen, der Text.
preview-submit = Anzeigen
preview-frame = Vorschau
preview-mark = Dies ist eine Vorschau. Nichts darin funktioniert.
