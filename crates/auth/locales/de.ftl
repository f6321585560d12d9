### Deutsch.

## Rahmen
footer = Geschützt durch { $tenant }
legal-policy = Datenschutz
legal-terms = Nutzungsbedingungen
continue = Weiter
continue-app = Weiter zu { $app }
back-to-signin = Zurück zur Anmeldung

## Anmelden
signin-title = Anmelden
signin-to = um mit { $app } fortzufahren
signin-submit = Anmelden
signin-forgot = Passwort vergessen?
signin-register-ask = Neu hier?
signin-register = Konto anlegen
username-label = E-Mail oder Benutzername
email-label = E-Mail
name-label = Vor- und Nachname
password-label = Passwort
password-show = Passwort anzeigen
password-hint = { $count ->
    [one] Mindestens { $count } Zeichen.
   *[other] Mindestens { $count } Zeichen. Mehrere Wörter ohne Zusammenhang eignen sich gut.
}

## Registrieren
register-title = Konto anlegen
register-submit = Konto anlegen
register-signin-ask = Sie haben schon ein Konto?
register-signin = Anmelden
sent-title = Sehen Sie in Ihr Postfach
sent-hint = Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach oder versuchen Sie es noch einmal.
register-sent-text = Wir haben eine Nachricht an { $email } gesendet. Öffnen Sie den Link darin, um Ihr Konto fertig anzulegen.

## Adresse bestätigen
verify-title = E-Mail bestätigen
verify-text = Ist { $email } Ihre Adresse?
verify-choose = Wählen Sie, wie Sie sich als { $email } anmelden.
verify-submit = Ja, bestätigen
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
invite-submit = Einladung annehmen
invite-ignore = Wenn Sie das nicht möchten, schließen Sie diese Seite. Es geschieht nichts.

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
approvals-expires = { $count ->
    [one] Läuft in einer Minute ab.
   *[other] Läuft in { $count } Minuten ab.
}

## Abmelden
signout-title = Abmelden?
signout-app = { $app } bittet darum, Sie abzumelden.
signout-text = Sie werden in diesem Browser von { $tenant } abgemeldet.
signout-submit = Abmelden
signout-stay = Um angemeldet zu bleiben, schließen Sie diese Seite.
signedout-title = Sie sind abgemeldet
signedout-text = Sie können dieses Fenster schließen.

## Zurück zur Anwendung
formpost-title = Gleich geschafft
formpost-text = Sie werden zur Anwendung zurückgeleitet.

## Fehler und Hinweise in Formularen
error-wrong-credentials = Benutzername oder Passwort stimmt nicht. Versuchen Sie es noch einmal.
error-too-many-attempts = { $count ->
    [one] Zu viele Versuche. Versuchen Sie es in einer Minute wieder.
   *[other] Zu viele Versuche. Versuchen Sie es in { $count } Minuten wieder.
}
error-locked-out = { $count ->
    [one] Zu viele Versuche. Warten Sie eine Minute, oder setzen Sie Ihr Passwort zurück.
   *[other] Zu viele Versuche. Warten Sie { $count } Minuten, oder setzen Sie Ihr Passwort zurück.
}
error-username-missing = Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.
error-captcha-missing = Bitte bestätigen Sie, dass Sie kein Roboter sind.
error-captcha-wrong = Die Prüfung ist fehlgeschlagen oder hat zu lange gedauert. Bitte versuchen Sie es noch einmal.
error-captcha-unknown = Die Prüfung auf Roboter ist gerade nicht möglich. Bitte versuchen Sie es gleich noch einmal.
captcha-working = Es wird geprüft, dass Sie kein Roboter sind …
captcha-done = Geprüft: Sie sind kein Roboter.
captcha-needs-script = Dieser Schritt braucht JavaScript: Er hält Roboter fern. Bitte schalten Sie es ein und laden Sie die Seite neu.
error-password-missing = Geben Sie Ihr Passwort ein.
error-name-missing = Geben Sie Ihren Namen ein.
error-email-invalid = Geben Sie eine E-Mail-Adresse ein, zum Beispiel sie@example.com.
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
error-user-code = Dieser Code stimmt nicht oder ist abgelaufen. Sehen Sie noch einmal auf Ihr Gerät.
notice-sign-in-again = Bitte melden Sie sich noch einmal an, um fortzufahren.
notice-one-more-step = Noch ein Schritt: Weisen Sie auf einem zweiten Weg nach, dass Sie es sind.
notice-password-changed = Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an.

## Ergebnisse
done-email-verified-title = E-Mail bestätigt
done-email-verified-text = Ihr Konto ist einsatzbereit.
done-password-changed-title = Passwort geändert
done-password-changed-text = Melden Sie sich ab jetzt mit Ihrem neuen Passwort an.
done-invitation-accepted-title = Willkommen
done-invitation-accepted-text = Sie sind jetzt Mitglied der Organisation.
done-link-expired-title = Dieser Link gilt nicht mehr
done-link-expired-text = Er wurde schon benutzt oder ist zu alt. Fordern Sie einen neuen an.
done-refused-title = Zugriff nicht erteilt
done-refused-text = Es wurde nichts weitergegeben. Sie können dieses Fenster schließen.
done-approved-title = Zugelassen
done-approved-text = Sie können zu Ihrem Gerät zurückkehren. Dort geht es gleich von selbst weiter.

## Fehlerseiten
problem-request-title = Diese Anfrage lässt sich nicht ausführen
problem-request-text = Die Anwendung hat etwas gesendet, das wir nicht annehmen können. Gehen Sie zu ihr zurück und versuchen Sie es noch einmal; hilft das nicht, wenden Sie sich an ihren Anbieter.
problem-not-found-title = Seite nicht gefunden
problem-not-found-text = Unter dieser Adresse gibt es nichts. Prüfen Sie sie oder gehen Sie dorthin zurück, woher Sie kamen.
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
problem-detail = Einzelheit
problem-request = Anfrage-ID

## E-Mails
mail-greeting = Guten Tag { $name },
mail-greeting-plain = Guten Tag,
mail-expires = Der Link gilt einmal, und zwar { $duration } lang.
mail-link = Wenn der Knopf nicht geht, kopieren Sie diese Adresse in Ihren Browser:
duration-minutes = { $count ->
    [one] { $count } Minute
   *[other] { $count } Minuten
}
duration-hours = { $count ->
    [one] { $count } Stunde
   *[other] { $count } Stunden
}
mail-verify-subject = Bestätigen Sie Ihre E-Mail-Adresse für { $tenant }
mail-verify-text = Bitte bestätigen Sie, dass dies Ihre Adresse ist, um Ihr Konto bei { $tenant } fertig anzulegen.
mail-verify-button = E-Mail bestätigen
mail-verify-ignore = Wenn Sie kein Konto angelegt haben, können Sie diese Nachricht ignorieren.
mail-reset-subject = { $tenant }: Setzen Sie Ihr Passwort zurück
mail-reset-text = Jemand, hoffentlich Sie, hat bei { $tenant } ein neues Passwort für das Konto mit dieser Adresse angefordert. Hier können Sie es wählen.
mail-reset-button = Neues Passwort wählen
mail-reset-ignore = Wenn Sie es nicht waren, ignorieren Sie diese Nachricht. Ihr Passwort bleibt, wie es ist.
mail-recovery-subject = { $tenant }: Wählen Sie ein neues Passwort
mail-recovery-text = Die Verwaltung von { $tenant } schickt Ihnen diesen Link, mit dem Sie ein neues Passwort für das Konto mit dieser Adresse wählen können.
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
mail-changed-subject = { $tenant }: Ihr Passwort wurde geändert
mail-changed-text = Das Passwort des Kontos mit dieser Adresse wurde soeben bei { $tenant } geändert. Wenn Sie das waren, ist nichts weiter zu tun.
mail-changed-button = Das war ich nicht
mail-changed-ignore = Wenn Sie es nicht waren, wählen Sie sofort ein neues Passwort und verständigen Sie die Betreiber dieses Dienstes.
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
signin-for-invitation = um eine Einladung anzunehmen
select-signed-out = Abgemeldet
consent-identity = Über Sie
consent-api = In { $api }
consent-write = Kann Änderungen vornehmen
consent-foreign = { $app } wird nicht von { $tenant } betrieben.
consent-unverified = { $app } hat sich selbst registriert. Niemand bei { $tenant } hat den Namen oder die Angaben geprüft, und { $tenant } betreibt diese Anwendung nicht.
consent-destination = Wenn Sie zustimmen, geht es weiter zu
consent-take-back = Sie können das jederzeit zurücknehmen:
access-title = Anwendungen mit Zugriff
access-none = Sie haben keiner Anwendung Zugriff auf Ihr Konto erlaubt.
access-remove = { $app } den Zugriff entziehen
access-note = Eine Anwendung, der Sie den Zugriff entziehen, verliert ihn sofort und muss Sie erneut fragen.
leaving-title = Diese Anfrage wurde abgelehnt
leaving-text = { $app } hat eine Anfrage gesendet, die nicht bearbeitet werden kann.
leaving-warning = Der Link unten führt zu einer Seite, die niemand bei { $tenant } geprüft hat. Folgen Sie ihm nur, wenn Sie sie kennen, und geben Sie dort Ihr Passwort nicht ein.
leaving-go = Weiter zu { $destination }
