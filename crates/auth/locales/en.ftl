### English. The complete catalogue: every other one has the same messages.

## Frame
footer = Protected by { $tenant }
legal-policy = Privacy policy
legal-terms = Terms of service
continue = Continue
continue-app = Continue to { $app }
back-to-signin = Back to sign in

## Sign in
signin-title = Sign in
signin-to = to continue to { $app }
signin-submit = Sign in
signin-forgot = Forgot password?
signin-register-ask = New here?
signin-register = Create an account
username-label = Email or user name
email-label = Email
name-label = Full name
password-label = Password
password-show = Show password
password-hint = { $count ->
    [one] At least { $count } character.
   *[other] At least { $count } characters. Several unrelated words work well.
}

## Register
register-title = Create your account
register-submit = Create account
register-signin-ask = Already have an account?
register-signin = Sign in
sent-title = Check your inbox
sent-hint = Nothing there after a few minutes? Look in your spam folder, or try again.
register-sent-text = We have sent a message to { $email }. Open the link in it to finish creating your account.

## Confirm an address
verify-title = Confirm your email
verify-text = Is { $email } your address?
verify-choose = Choose how you sign in as { $email }.
verify-submit = Yes, confirm
verify-ignore = If you did not ask for this, close this page.

## Join a tenant
join-title = Join { $tenant }?
join-text = You have an account already: { $account }. With it you can become a member of { $tenant }.
join-submit = Join as { $account }
join-ignore = If you do not want to join, close this page.
invite-title = Join { $organization }?
invite-text = { $email } is invited to { $organization } at { $tenant }.
invite-choose = You get an account for this address. Choose how you sign in.
invite-other = You are signed in as another person. Sign in as { $email } to accept.
invite-submit = Accept the invitation
invite-ignore = If you do not want to, close this page. Nothing happens.

## Forgotten password
forgot-title = Reset your password
forgot-text = Tell us who you are and we will mail you a link to choose a new password.
forgot-submit = Send link
forgot-sent-text = If there is an account that matches, a link to choose a new password is on its way to its email address.
reset-title = Choose a new password
reset-text = for { $account }
new-password-label = New password
reset-submit = Save password

## Consent
consent-title = { $app } wants access to your account
consent-switch = Not you?
consent-allow = Allow
consent-deny = Don’t allow
consent-note = Only allow this if you trust { $app }.
consent-home = About this application
scope-openid = Know who you are when you sign in
scope-profile = See your profile, such as your name and picture
scope-email = See your email address
scope-address = See your postal address
scope-phone = See your phone number
scope-offline-access = Keep this access while you are away
claim-name = See your full name
claim-given-name = See your first name
claim-family-name = See your last name
claim-middle-name = See your middle name
claim-nickname = See your nickname
claim-preferred-username = See your user name
claim-profile = See the address of your profile page
claim-picture = See your picture
claim-website = See the address of your website
claim-gender = See your gender
claim-birthdate = See your date of birth
claim-zoneinfo = See your time zone
claim-locale = See your language
claim-updated-at = See when your profile last changed
claim-email-verified = See whether your email address is confirmed
claim-phone-number-verified = See whether your phone number is confirmed

## Choose an account
select-title = Choose an account
select-other = Use another account
organization-title = Choose an organization
organization-legend = Your organizations
organization-submit = Continue
organization-deny = Cancel
organization-none = Your account does not belong to an organization yet. Ask an administrator of your organization to add you, or use another account.
organization-none-named = Your account does not belong to the organization that the application asks for. Use another account, or go back.

## Devices and approvals
device-title = Connect a device
device-text = Enter the code that your device shows.
device-code-label = Code
device-submit = Continue
device-warning = Only go on if you started this yourself, on a device that is in front of you. Nobody who offers help needs a code from you.
approvals-title = Waiting for your approval
approvals-none = Nothing is waiting for you.
approvals-warning = Only allow what you started yourself, and only if everything here matches what you see there. If somebody sent you here, don’t allow it: they would get into your account.
approvals-code = Your device must show this code:
approvals-message = The other side must show this message:
approvals-expires = { $count ->
    [one] Expires in a minute.
   *[other] Expires in { $count } minutes.
}

## Sign out
signout-title = Sign out?
signout-app = { $app } asks to sign you out.
signout-text = You will be signed out of { $tenant } in this browser.
signout-submit = Sign out
signout-stay = To stay signed in, close this page.
signedout-title = You are signed out
signedout-text = It is safe to close this window.

## Back to the application
formpost-title = Almost there
formpost-text = You are being taken back to the application.

## Errors and notices of forms
error-wrong-credentials = The user name or password is not right. Try again.
error-too-many-attempts = { $count ->
    [one] Too many attempts. Try again in a minute.
   *[other] Too many attempts. Try again in { $count } minutes.
}
error-locked-out = { $count ->
    [one] Too many attempts. Wait a minute, or reset your password.
   *[other] Too many attempts. Wait { $count } minutes, or reset your password.
}
error-username-missing = Enter your email or user name.
error-captcha-missing = Please confirm that you are not a robot.
error-captcha-wrong = That check failed or took too long. Please try again.
error-captcha-unknown = The check for robots cannot be made right now. Please try again in a moment.
captcha-working = Checking that you are not a robot…
captcha-done = Checked: you are not a robot.
captcha-needs-script = This step needs JavaScript: it keeps robots out. Please switch it on and reload the page.
error-password-missing = Enter your password.
error-name-missing = Enter your name.
error-email-invalid = Enter an email address, such as you@example.com.
error-password-too-short = { $count ->
    [one] The password needs at least { $count } character.
   *[other] The password needs at least { $count } characters.
}
error-password-too-long = { $count ->
    [one] The password may have at most { $count } character.
   *[other] The password may have at most { $count } characters.
}
error-password-too-common = This password is easy to guess. Choose another one.
error-password-breached = This password is known from a breach of another site. Choose another one.
error-password-unchecked = This password cannot be checked right now. Please try again in a moment.
error-user-code = This code is not right, or it has expired. Look at your device again.
notice-sign-in-again = Please sign in again to continue.
notice-one-more-step = One more step: prove in a second way that it is you.
notice-password-changed = Your password has been changed. Sign in with the new one.

## Outcomes
done-email-verified-title = Email confirmed
done-email-verified-text = Your account is ready to use.
done-password-changed-title = Password changed
done-password-changed-text = From now on, sign in with your new password.
done-invitation-accepted-title = Welcome
done-invitation-accepted-text = You are a member of the organization now.
done-link-expired-title = This link no longer works
done-link-expired-text = It has been used already, or it is too old. Ask for a new one.
done-refused-title = Access not granted
done-refused-text = Nothing was shared. You can close this window.
done-approved-title = Allowed
done-approved-text = You can go back to your device. It goes on by itself in a moment.

## Error pages
problem-request-title = This request can’t be completed
problem-request-text = The application sent something we cannot accept. Go back to it and try again; if that does not help, tell its makers.
problem-not-found-title = Page not found
problem-not-found-text = There is nothing at this address. Check it, or go back to where you came from.
problem-rate-title = Too many requests
problem-rate-text = Please wait a little before you try again.
problem-expired-title = This has expired
problem-expired-text = Go back to the application and start again.
problem-denied-title = Access denied
problem-denied-text = You are not allowed to do this. If you think you should be, ask the people who run this service.
problem-server-title = Something went wrong
problem-server-text = The fault is on our side. Please try again; if it keeps happening, quote the request ID below.
problem-unavailable-title = Be right back
problem-unavailable-text = The service cannot be reached for the moment. Please try again shortly.
problem-retry = Try again
problem-code = Error code
problem-detail = Detail
problem-request = Request ID

## Mails
mail-greeting = Hello { $name },
mail-greeting-plain = Hello,
mail-expires = The link works once, for { $duration }.
mail-link = If the button does not work, copy this address into your browser:
duration-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
}
duration-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
}
mail-verify-subject = Confirm your email for { $tenant }
mail-verify-text = Please confirm that this is your address, to finish creating your { $tenant } account.
mail-verify-button = Confirm email
mail-verify-ignore = If you did not create an account, you can ignore this message.
mail-reset-subject = { $tenant }: reset your password
mail-reset-text = Someone, hopefully you, asked at { $tenant } for a new password for the account with this address. Choose it here.
mail-reset-button = Choose a new password
mail-reset-ignore = If it was not you, ignore this message. Your password stays as it is.
mail-recovery-subject = { $tenant }: choose a new password
mail-recovery-text = An administrator of { $tenant } sends you this link to choose a new password for the account with this address.
mail-recovery-button = Choose a new password
mail-recovery-ignore = If you do not need a new password, ignore this message. Your password stays as it is.
mail-invitation-subject = { $tenant } invites you
mail-invitation-text = You are invited to become a member of { $tenant }, with the account that has this address.
mail-invitation-button = Accept the invitation
mail-invitation-ignore = If you do not want to, ignore this message. Nothing happens.
mail-organization-invitation-subject = { $tenant }: { $organization } invites you
mail-organization-invitation-text = You are invited to { $organization } at { $tenant }, with the account that has this address.
mail-organization-invitation-button = Look at the invitation
mail-organization-invitation-ignore = If you do not want to, ignore this message. Nothing happens.
mail-exists-subject = { $tenant }: sign in with your account
mail-exists-text = Someone, hopefully you, tried to create an account at { $tenant } with this address. There is an account with this address already: this link signs you in with it, and makes you a member of { $tenant } if you are not one yet.
mail-exists-button = Sign in
mail-exists-ignore = If it was not you, ignore this message. Nothing has changed.
mail-locked-subject = { $tenant }: too many wrong passwords for your account
mail-locked-text = Someone tried too many wrong passwords at { $tenant } for the account with this address. In browsers that you have not used before, signing in pauses for { $duration }. Where you have signed in before you still can, and a new password ends the pause.
mail-locked-button = Choose a new password
mail-locked-ignore = If your password is a good one that you use nowhere else, there is nothing to do. This message comes only once.
mail-changed-subject = { $tenant }: your password was changed
mail-changed-text = The password of the account with this address has just been changed at { $tenant }. If it was you, there is nothing to do.
mail-changed-button = It was not me
mail-changed-ignore = If it was not you, choose a new password at once and tell the people who run this service.
problem-again-title = Please start again
problem-again-text = This page cannot go on: it was open for too long, it was opened in another browser, or it was opened by its address alone. Start again at the application.
problem-back = Back to { $app }
mismatch-sent = Sent
mismatch-registered = Registered
signout-unregistered = The application asked to return to an address that it has not registered, so there is no way back to it from here.
start-account = You are signed in as { $account }.
start-approvals = Requests from other devices
start-text = This is where you sign in. Open the application that you want to use; it brings you here.

## Languages, access, applications that no one has checked
language-name = English
language = Language
sent-resend = Resend the message
register-again = Use another address
forgot-again = Try another name
signin-for-device = to connect a device
signin-for-approvals = to answer requests from other devices
signin-for-access = to see what applications may do
signin-for-invitation = to accept an invitation
select-signed-out = Signed out
consent-identity = About you
consent-api = In { $api }
consent-write = Can make changes
consent-foreign = { $app } is not operated by { $tenant }.
consent-unverified = { $app } registered itself. Nobody at { $tenant } has checked its name or what it says about itself, and { $tenant } does not operate it.
consent-destination = If you allow it, you go on to
consent-take-back = You can take this back at any time:
access-title = Applications with access
access-none = You have not allowed any application to use your account.
access-remove = Remove access of { $app }
access-note = An application whose access you remove loses it at once, and has to ask you again.
leaving-title = This request was refused
leaving-text = { $app } sent a request that cannot be served.
leaving-warning = The link below leads to a site that nobody at { $tenant } has checked. Follow it only if you know it, and do not enter your password there.
leaving-go = Go to { $destination }
