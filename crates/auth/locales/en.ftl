### English. The complete catalogue: every other one has the same messages.

## Frame
footer = Protected by { $tenant }
title-error = Error:
legal-policy = Privacy policy
legal-terms = Terms of service
continue = Continue
continue-app = Continue to { $app }
back-to-signin = Back to sign in

## Sign in
signin-title = Sign in
signin-to = to continue to { $app }
signin-submit = Sign in
sso-lead = Continue with { $name }. People of your organization sign in there.
sso-alone = No other way to sign in is accepted for your organization here.
sso-continue = Continue
sso-address = Work email address
sso-link = Sign in with single sign-on
social-title = Other ways to sign in
social-continue = Continue with { $name }
email-otp-link = Email me a code
email-otp-address = Email address
email-otp-send = Send the code
email-otp-sent = If an account here has the address { $address }, a code is on its way to it.
email-otp-label = Code from the email
email-otp-resend = Send a new code
email-otp-other = Use another address
magic-link-link = Email me a link to sign in
magic-link-send = Send the link
magic-link-sent = If an account here has the address { $address }, a link is on its way to it. Open it in this browser.
magic-link-resend = Send a new link
magic-link-title = Sign in
magic-link-text = Sign in as { $email }?
sms-link = Text me a code
sms-number = Phone number
sms-number-hint = With the code of the country, such as +44 20 7946 0123.
sms-send = Send the code
sms-second = Send a code to my phone
sms-sent = If an account here has the number { $number }, a code is on its way to it.
sms-sent-second = A code is on its way to your phone, whose number ends with { $end }.
sms-label = Code from the text message
sms-resend = Send a new code
sms-other = Use another number
signin-forgot = Forgot password?
signin-narrowed = Only the ways to sign in on this page are accepted here.
signin-none-accepted = You cannot sign in here: none of the accepted ways to sign in is available. Ask an administrator.
passkey-or = or
passkey-submit = Sign in with a passkey
passkey-second = Use a passkey or security key
passkey-cancelled = No passkey was used. Try again, or sign in another way.
passkey-failed = The passkey could not be used here. Try again, or sign in another way.
passkey-not-made = No passkey was made. Try again, or choose another way.
passkey-not-able = This device cannot make a passkey that works here. Choose another way, or use another device.
passkey-needs-script = Passkeys and security keys need a browser with JavaScript.
signin-register-ask = New here?
signin-register = Create an account
username-label = Email or user name
email-label = Email
name-label = Full name
password-label = Password
password-show = Show password
strength-label = Strength of the password
strength-weak = Weak
strength-fair = Fair
strength-good = Good
strength-strong = Strong
password-hint = { $count ->
    [one] At least { $count } character.
   *[other] At least { $count } characters. Several unrelated words work well.
}

## Two-step verification
second-title = Confirm that it is you
totp-label = Code from your authenticator app
totp-submit = Confirm
backup-code-more = Use a backup code instead
backup-code-label = Backup code
trust-browser = { $count ->
    [one] Do not ask again in this browser for { $count } day
   *[other] Do not ask again in this browser for { $count } days
}
set-up-passkey-why = { $tenant } asks for more than you have proven so far. With a passkey you sign in with your fingerprint, face or PIN from now on.
set-up-totp-why = { $tenant } asks for a second proof that it is you. An authenticator app on your phone makes a new code every 30 seconds.
set-up-totp-begin = Set up an app
set-up-totp-scan = Scan this picture with the app.
set-up-totp-picture = QR code with the key for your app
set-up-totp-key = You cannot scan it? Type this key into the app:
set-up-totp-code = Code that the app shows
set-up-totp-submit = Turn on

## Register
register-title = Create your account
register-submit = Create account
register-signin-ask = Already have an account?
register-signin = Sign in
sent-title = Check your inbox
sent-hint = Nothing there after a few minutes? Look in your spam folder, or try again.
register-sent-text = We have sent a message to { $email }. Open the link in it to finish creating your account.
prove-sent-text = We have sent a message to { $email }. Open the link in it to confirm that this is your address; then you can go on.

## Confirm an address
verify-title = Confirm your email
verify-text = Is { $email } your address?
verify-choose = Choose how you sign in as { $email }.
verify-submit = Yes, confirm
verify-passkey = Create a passkey instead
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
invite-switch = Sign in as { $email }
invite-submit = Accept the invitation
invite-ignore = If you do not want to, close this page. Nothing happens.

## Account centre
account-menu = Your account
account-menu-open = Menu
account-skip = Skip the menu
account-overview = Your account
account-profile = Profile
account-password = Password
account-passkeys = Passkeys and security keys
account-identities = Connected accounts
account-second-factors = Two-step verification
account-backup-codes = Backup codes
account-accounts = Accounts in this browser
account-sessions = Where you are signed in
account-login-history = Sign-in history
account-delegations = Acting for you
account-organizations = Organizations
account-sso = Single sign-on
account-data = Your data
account-proven = confirmed
account-is-set = set
account-is-not-set = not set
account-apps = Authenticator apps
account-count = { $count ->
    [0] none
   *[other] { $count }
}
account-save = Save
account-profile-text = Applications that you allow to see your profile see what you write here.
account-email = Email address
account-email-text = Your new address counts once you have opened the link that we mail to it. Until then the present one stays.
account-phone = Phone number
account-phone-text = We send a code to the number to make sure that it is yours. From then on you can sign in with codes that are sent to it, and use them where a second proof is asked for.
account-phone-label = New phone number
account-phone-sent = A code is on its way to { $number }. The number counts once you have typed the code.
new-address-label = New email address
new-address-mail = Email me a link
new-address-title = Change your email address
new-address-text = Is { $email } to be the address of your account?
account-password-first = You have no password yet. With one you can sign in in every browser.
account-password-text = Once you save a new password you are signed out everywhere else.
given-name-label = First name
family-name-label = Last name
nickname-label = Nickname
passkeys-text = With a passkey you sign in with your fingerprint, face or PIN instead of a password. It works at this site only, so no one can trick you into giving it away.
passkeys-none = You have no passkey yet.
passkeys-add = Add a passkey
security-keys-add = Add a security key
security-keys-text = A security key is a small device that you touch as the second step when you sign in.
passkeys-security-key = Security key, after the password
passkeys-synced = Copied to your other devices
passkeys-bound = On one device only
passkeys-elsewhere = Works at { $host }, not here.
passkeys-present = This device has a passkey of your account already.
passkeys-not-made = No passkey was added. Try again when you are ready.
passkeys-not-able = This device cannot make a passkey that works here. Use another device or a security key.
identities-text = You can sign in here with accounts that you have elsewhere. Each opens this account as your other ways to sign in do.
identities-none = No account is connected.
identities-add = Connect an account
identities-connect = Connect { $name }
second-factors-text = With an authenticator app on your phone, a first step alone, such as a password, is not enough to sign in as you.
second-factors-add = Add an app
credential-name = Name
credential-rename = Rename
credential-remove = Remove
credential-added = Added on { $day }
credential-used = last used on { $day }
credential-ends = until { $day }
trusted-browsers = Browsers that are not asked
trusted-browsers-forget = Ask in all of them again
backup-codes-text = A backup code lets you in once when your phone is not at hand. Keep the codes on paper, away from your phone.
backup-codes-left = { $count ->
    [0] You have none.
    [one] You have { $count } code left.
   *[other] You have { $count } codes left.
}
backup-codes-make = Make new codes
backup-codes-note = New codes replace the old ones.
backup-codes-once = Print or write down these codes now. They are not shown again.
backup-codes-copy = Copy the codes
backup-codes-copied = The codes are copied.
backup-codes-print = Print
backup-codes-noted = I have kept the codes
session-here = this browser
session-unknown = Unknown browser
session-since = Signed in
session-seen = seen
session-end = Sign out there
sessions-end-others = Sign out everywhere else
accounts-text = You can be signed in with several accounts here and switch between them. Each stays signed in until you sign it out.
accounts-present = in use
accounts-use = Switch to this account
accounts-end = Sign out
accounts-add = Add another account
accounts-full = This browser holds as many accounts as it can. Adding one signs out the account that was used longest ago.
accounts-end-all = Sign out of all accounts
login-history-text = When and where someone signed in to your account, and what failed, for the last three months.
login-history-none = No sign-in has been recorded yet.
login-history-not-you = Was one of these not you?
login-success = Signed in
login-failure = Failed
login-refused = Refused
login-disowned = Not you
login-when = When
login-with = With
login-from = From
login-by-password = with a password
login-by-code = with a code
login-by-key = with a passkey or security key
login-by-organization = through your organization
login-by-provider = through another provider
login-by-trusted-browser = in a trusted browser
login-new-device = You had not signed in with this browser before.
login-new-network = You had not signed in from this network before.
login-unusual-hour = You do not sign in at this hour of the day.
login-impossible-travel = You had signed in shortly before at a place too far away to travel from.
login-many-failures = Several attempts to sign in had failed within a day.
login-disposable-address = Your address is at a provider of throw-away addresses.
undo-address-title = Was it you?
undo-address-text = The account that had the address { $email } has another one now.
undo-address-yes = If you changed it yourself, there is nothing to do: close this page.
undo-address-submit = No, give me my address back
undo-address-hint = The account then has this address again. We end everything under way in it, on every device, and take back what was added last. If it has a password, you choose a new one.
was-this-you-title = Was this you?
was-this-you-entered = Someone signed in to your account.
was-this-you-refused = Someone had what it takes to sign in, such as your password, and we did not let them in, because the sign-in was too unusual.
was-this-you-yes = If it was you, there is nothing to do: close this page.
was-this-you-no = No, it was not me
was-this-you-hint = We then end everything under way in your account, on every device. If it has a password, you choose a new one.
delegations-text = Applications and agents that act for you at other services. What you end here ends at once, together with all access that was passed on from it.
delegations-none = Nothing acts for you at the moment.
delegation-purpose = What for:
delegation-end = End what { $app } does for you
organizations-none = You do not belong to an organization here. An invitation to one appears on this page.
organization-roles = Your roles:
organization-leave = Leave { $organization }
organization-sso = Test single sign-on of { $organization }
account-sso-text = Test whether the people of your organizations can be led to their provider. A test reads what the provider publishes, step by step. It signs no one in and changes no setting.
sso-none = None of your organizations has a provider yet.
sso-connection-on = on
sso-connection-off = off
sso-test = Test { $name }
sso-test-usable = People can be led to this provider.
sso-test-unusable = People cannot sign in through this provider yet.
sso-test-cut = The steps after the one that failed were left out. Correct that one, then test again.
sso-test-first-sign-in = Only a sign-in shows whether the provider accepts this client and its secret, and what it says about people. When the connection is on, open the sign-in page in a private window and choose single sign-on, with an address of your organization.
sso-redirect-uri = Redirect URI that must be registered at the provider:
sso-backchannel-uri = Back-channel logout URI, if the provider asks for one:
sso-outcome-passed = Passed
sso-outcome-warning = Warning
sso-outcome-failed = Failed
sso-step-discovery = Description of the provider
sso-step-issuer = Name of the provider
sso-step-endpoints = Addresses
sso-step-keys = Keys
sso-step-client-auth = Authentication of this client
sso-step-id-token = Signature of ID tokens
sso-step-pkce = Protection of codes (PKCE)
sso-found-described = The provider describes itself at { $value }.
sso-found-unreachable = { $value } could not be reached. Check that the issuer of the connection is right, and that the provider can be reached from the internet.
sso-found-refused = The provider answered { $value } with an error. Look for the right issuer in the provider’s settings.
sso-found-no-document = What is at { $value } does not describe a provider. Look for the right issuer in the provider’s settings.
sso-found-same-issuer = The provider calls itself as the connection does.
sso-found-other-issuer = The provider calls itself “{ $value }”. Set the issuer of the connection to exactly that.
sso-found-endpoints = The addresses for sign-in, tokens and keys can be called.
sso-found-endpoint-missing = The description of the provider lacks { $value }. Ask the administrator of the provider to publish it.
sso-found-endpoint-out-of-reach = The address in { $value } cannot be called from here: it has to be public and begin with https. Ask the administrator of the provider to correct it.
sso-found-keys = The keys at { $value } are understood.
sso-found-no-keys = No usable keys could be read at { $value }. Ask the administrator of the provider to publish a key set (JWKS) there.
sso-found-client-auth = The provider accepts { $value }, as the connection is set.
sso-found-other-client-auth = The provider does not accept the client authentication that is set. Set it to one of these: { $value }.
sso-found-id-tokens = The provider signs ID tokens with { $value }.
sso-found-other-id-tokens = The provider signs ID tokens in no way that is accepted here. Set one of these there: { $value }.
sso-found-pkce = The provider checks codes with S256.
sso-found-pkce-unsaid = The provider does not say that it supports PKCE with S256. Sign-in works nevertheless, and the challenge is sent all the same. Turn PKCE on there if you can.
invitation-to = Invitation to { $organization }
invitation-join = Join { $organization }
invitation-decline = Decline
data-text = Download what is kept about you here: your profile, your sign-in methods without their secrets, where you are signed in, what you allowed applications, and your organizations. The file is JSON, which other programs can read.
data-submit = Download
account-deletion = Delete your account
deletion-text = You are signed out everywhere at once. { $count ->
    [0] Your account is gone then, with everything in it.
    [one] For one day you can keep your account: sign in to it here and choose “Keep my account”. Signing in alone is not enough. After that it is gone with everything in it.
   *[other] For { $count } days you can keep your account: sign in to it here and choose “Keep my account”. Signing in alone is not enough. After that it is gone with everything in it.
}
deletion-sure = I want to delete my account.
deletion-submit = Delete my account
deletion-due = Your account is deleted on { $day }.
deletion-keep = Keep my account

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

## What people are asked for
field-optional = (optional)
field-choose = Choose
complete-title = Before you continue
complete-text = { $tenant } needs this from you.
complete-later = Not now
terms-accept = I accept:
terms-submit = Accept
terms-none = You have not accepted any document yet.
terms-version = Version:
terms-accepted = Accepted:
account-terms = Terms
account-terms-text = The documents that you have accepted here, and when.
account-details = Your details
account-details-text = What { $tenant } asks you for.

## Devices and approvals
device-title = Connect a device
device-text = Enter the code that your device shows.
device-code-label = Code
device-submit = Continue
device-warning = Only go on if you started this yourself, on a device that is in front of you. No one who offers help needs a code from you.
approvals-title = Waiting for your approval
approvals-none = Nothing is waiting for you.
approvals-warning = Only allow what you started yourself, and only if everything here matches what you see there. If someone sent you here, don’t allow it: they would get into your account.
approvals-code = Your device must show this code:
approvals-message = The other side must show this message:
approvals-expires = Expires in { $duration }.

## Sign out
signout-title = Sign out?
signout-app = { $app } asks to sign you out.
signout-text = You will be signed out of { $tenant } in this browser.
signout-choose = Which account do you want to sign out of in this browser?
signout-submit = Sign out
signout-stay = To stay signed in, close this page.
signedout-title = You are signed out
signedout-text = It is safe to close this window.
signedout-others = Other accounts are still signed in in this browser.
signedout-others-link = Show accounts

## Back to the application
formpost-title = Almost there
formpost-text = You are being taken back to the application.

## Errors and notices of forms
error-wrong-credentials = The user name or password is not right. Try again.
error-too-many-attempts = Too many attempts. Try again in { $duration }.
error-unavailable-for = The service cannot be reached for the moment. Please try again in { $duration }.
error-locked-out = Too many attempts. Wait { $duration }, or reset your password.
error-code-wrong = That code is wrong, too old, or was used before. Wait for the next one and try again.
error-app-lost = The key of your authenticator app is lost here, so its codes no longer work. Sign in another way, such as with a backup code, then set the app up again in your account and remove the old one. If there is no other way, ask the people who run this service.
error-backup-code-wrong = That backup code is wrong or was used before. Check how it is written, or use another one.
error-mail-code-wrong = That code is wrong, too old, or was used before. Look at the newest mail, or have a new code sent.
error-sign-in-unusual = This sign-in looks too unusual to let you in. Use a browser in which you have signed in before, a passkey, or choose a new password. We have sent you an email.
error-sign-in-unusual-untold = This sign-in looks too unusual to let you in. Use a browser in which you have signed in before, or a passkey.
error-way-not-accepted = This way to sign in is not accepted here.
error-sign-in-refused = You cannot sign in here now. Ask the organization whose application you want to use.
error-sign-in-unavailable = Signing in is not possible right now. Please try again in a moment.
error-second-factor-out-of-reach = This sign-in needs two-step verification, and it is not set up in your account. Ask the organization whose application you want to use.
error-mail-code-not-enough = A code or link by mail is not enough for this account. Sign in another way, such as with a passkey or your organization.
error-mail-code-needs-password = A code or link by mail is not enough for this account, and it has no password yet. Choose one by “Forgot password?”, and sign in with it.
error-text-code-wrong = That code is wrong, too old, or was used before. Look at the newest text message, or have a new code sent.
error-text-code-not-enough = A code by text message is not enough for this account. Sign in with your password, a passkey or your organization.
error-provider-not-enough = You have signed in through a provider that is trusted only here. To change how you sign in to this account everywhere, sign in with your password, a passkey or a code that is sent to you.
error-provider-alone = Your organization has you sign in only through its provider, which is not enough for this page. Ask the administrator of your organization.
error-phone-invalid = Enter a phone number with the code of the country, such as +44 20 7946 0123.
error-phone-same = Your account has this number already.
error-email-enforced = Your organization decides how you sign in, and goes by this address. Ask its administrator for another one.
error-phone-taken = Another account has this number. Remove it there first.
error-sso-unknown = No single sign-on is set up for this address. Sign in another way.
error-sso-failed = Your organization’s sign-in did not work. Try again, or ask your administrator.
error-sso-no-member = You are signed in at your organization, but it has given you no access here. Ask your administrator.
error-social-failed = Signing in there did not work. Try again, or sign in another way.
error-provider-not-fresh = This needs a new sign-in, and your sign-in there is too old. Sign in there again, or in another way.
error-provider-declined = The sign-in there was cancelled, or you may not use this service with your account there. Try again, or sign in another way.
error-provider-unfinished = The sign-in there was not finished: the provider still needs something from you. Try again and complete every step, or sign in another way.
error-provider-unavailable = The sign-in there is not available at the moment. Try again in a while, or sign in another way.
error-social-unknown = No account here is connected with that one yet. Sign in another way, then connect it in your account.
error-social-no-account = There is no account with your address, and new accounts cannot be created here.
error-name-invalid = Write each name in one line of at most 200 characters.
error-credential-name = Write the name in one line of at most 60 characters.
error-second-factor-needed = Two-step verification is required here. Add another app before you remove this one.
error-second-factor-missing = Backup codes stand in for the second step of two-step verification. Set that up first.
error-organization-owned = You own this organization. Make another member the owner first.
error-sso-tested = This connection was tested just now. Wait ten seconds, then test it again.
error-deletion-refused = Your account cannot be deleted now. If you own an organization, make another member its owner first.
error-deletion-unsure = Tick the box to delete your account.
error-last-operator = You are the last person who can administer this service. Give another member the same rights first.
error-username-missing = Enter your email or user name.
error-captcha-missing = Please confirm that you are not a robot.
error-captcha-wrong = That check failed or took too long. Please try again.
error-captcha-unknown = The check for robots cannot be made right now. Please try again in a moment.
captcha-working = Checking that you are not a robot…
captcha-done = Checked: you are not a robot.
captcha-needs-script = This step needs JavaScript: it keeps robots out. Please switch it on and reload the page.
captcha-failed = The check for robots could not be loaded. Allow it if something blocks it, such as an ad blocker, and reload the page.
error-password-missing = Enter your password.
error-answers-incomplete = Something is missing or not right. Check what is marked.
error-terms-not-accepted = Accept this to continue.
error-answer-missing = Fill this in.
error-answer-invalid = This cannot be used here. Check what you have entered.
error-answer-too-short = { $count ->
    [one] Use at least one character.
   *[other] Use at least { $count } characters.
}
error-answer-too-long = { $count ->
    [one] Use at most one character.
   *[other] Use at most { $count } characters.
}
error-name-missing = Enter your name.
error-email-invalid = Enter an email address, such as you@example.com.
error-email-same = Your account has this address already.
error-registration-refused = You cannot register here with this address. Use another one, or ask the organization whose application you want to use.
error-registration-unavailable = Registration is not possible right now. Please try again in a moment.
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
error-passkey-unknown = This passkey is not known here. It may have been removed from your account: sign in another way.
error-passkey-late = That took too long. Try again.
error-passkey-locked = Unlock your passkey when your device asks for it, with your fingerprint, face or PIN.
error-passkey-failed = The passkey could not be checked. Try again, or sign in another way.
error-last-credential = This is the last way to sign in to your account. Add another one first.
error-passkey-taken = This passkey could not be added: it is in use already, or you have too many. Remove one that you no longer use.
error-user-code = This code is not right, or it has expired. Look at your device again.
notice-sign-in-again = Please sign in again to continue.
notice-one-more-step = One more step: prove in a second way that it is you.
notice-address-mailed = We have mailed a link to the new address. Open it to confirm the change.
notice-phone-added = The phone number is confirmed.
notice-phone-removed = The phone number was removed.
notice-account-kept = Your account stays.
notice-terms-accepted = You have accepted.
notice-details-saved = Your details are saved.
notice-profile-saved = Your profile is saved.
notice-credential-added = Added.
notice-social-known-address = There is an account with your address already. Sign in to it as before; from then on it opens with the other account, too.
notice-social-not-linked = We do not know that account yet, and it comes with no confirmed address. Sign in as before or create an account here; from then on it opens with the other account, too.
notice-identity-linked = Connected.
notice-identity-taken = That account is already connected to another account here, or yours is already connected to another one of the same provider.
notice-credential-renamed = Renamed.
notice-credential-removed = Removed.
notice-browsers-forgotten = Every browser will ask for the second step again.
notice-sessions-ended = Signed out there.
notice-account-switched = You have switched accounts.
notice-account-signed-out = You are signed out of that account.
notice-other-account = That page was for another account, so nothing was changed.
notice-signed-out-meanwhile = You were signed out meanwhile, so nothing was changed. Sign in and fill in the form again.
notice-link-of-another = This link is for another account than the one that is signed in here. Sign in to the account that asked for it.
notice-organization-left = You have left the organization.
notice-organization-joined = You are a member of the organization now.
notice-invitation-declined = You have declined the invitation.
notice-invitation-gone = The invitation is no longer valid.
notice-delegation-ended = It does not act for you any more.
notice-password-changed = Your password has been changed. Sign in with the new one.

## Outcomes
done-email-verified-title = Email confirmed
done-email-verified-text = Your account is ready to use.
done-deletion-begun-title = Your account will be deleted
done-deletion-begun-text = You are signed out everywhere. We have mailed you how to keep it.
done-address-changed-title = Email address changed
done-address-changed-text = From now on, sign in with your new address.
done-address-restored-title = Your address is back
done-address-restored-text = The account has this address again, and we have ended everything under way in it. Look at your sign-in methods when you sign in next.
done-address-occupied-title = Another account has this address now
done-address-occupied-text = The change can be taken back only while no other account has the address. Tell the people who run this service.
done-password-changed-title = Password changed
done-password-changed-text = From now on, sign in with your new password.
done-sign-in-disowned-title = Thank you for telling us
done-sign-in-disowned-text = We have ended everything under way in your account. Look at your sign-in methods when you sign in next.
done-password-taken-title = Thank you for telling us
done-password-taken-text = We have ended everything under way in your account, and its password no longer works. Ask your administrator for a new one, or your guardians if you have chosen any.
done-changed-since-title = This link came too late
done-changed-since-text = The password was changed after this sign-in, or everything was ended already. If that was not you, choose a new password now: it ends everything under way in your account. Then look at your sign-in methods.
done-invitation-accepted-title = Welcome
done-invitation-accepted-text = You are a member of the organization now.
done-opened-elsewhere-title = Open the link where you asked for it
done-opened-elsewhere-text = It signs in only the browser in which you asked for it. Open it there, or ask for a new link in this browser. If you did not ask for a link, ignore the mail.
done-link-expired-title = This link no longer works
done-link-expired-text = It has been used already, or it is too old. Ask for a new one.
done-refused-title = Access not granted
done-refused-text = Nothing was shared. You can close this window.
done-approved-title = Allowed
done-approved-text = You can go back to your device. It goes on by itself in a moment.
done-support-allowed-title = Allowed
done-support-allowed-text = Support staff can now act in your account, for the time that was asked for. You can close this window.
done-decided-title = This request is closed
done-decided-text = It has been answered already, or its time is over. Nothing was changed now.

## Error pages
problem-request-title = This request can’t be completed
problem-request-text = The application sent something we cannot accept. Go back to it and try again; if that does not help, tell its makers.
problem-not-found-title = Page not found
problem-not-found-text = There is nothing at this address. Check it, or go back to where you came from.
problem-large-title = This is too large
problem-large-text = What your browser sent is larger than we accept. Go back and send less. If this happens on every page, delete the cookies of this site.
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
problem-detail = Details for developers
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
duration-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}
duration-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
}
mail-verify-subject = Confirm your email for { $tenant }
mail-verify-text = Please confirm that this is your address, to finish creating your { $tenant } account.
mail-verify-button = Confirm email
mail-verify-ignore = If you did not create an account, you can ignore this message.
mail-prove-subject = { $tenant }: confirm your email address
mail-prove-text = Someone, hopefully you, wants to sign in at { $tenant } with the account that has this address. Confirm that the address is yours, to go on.
mail-prove-button = Confirm email
mail-prove-ignore = If it was not you, ignore this message. The address stays unconfirmed.
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
mail-new-device-subject = { $tenant }: a new sign-in to your account
mail-new-device-text = Someone has just signed in to your account at { $tenant } with a browser that you had not used before, or in an unusual way. Was it you? See when and where it was, and say if it was not you.
mail-new-device-button = Look at it
mail-new-device-ignore = If it was you, there is nothing to do.
mail-sign-in-refused-subject = { $tenant }: we refused a sign-in to your account
mail-sign-in-refused-text = Someone has just tried to sign in to your account at { $tenant } and had what it takes, such as your password. We did not let them in, because the sign-in was too unusual. Was it you? See when and where it was, and say if it was not you.
mail-sign-in-refused-button = Look at it
mail-sign-in-refused-ignore = If it was you, sign in with a browser that you have used before, or with a passkey.
mail-signin-link-subject = { $tenant }: your link to sign in
mail-signin-link-text = This is the link to sign in at { $tenant }. Open it in the browser in which you asked for it.
mail-signin-link-button = Sign in
mail-signin-link-ignore = If you did not ask for a link, ignore this message. The link signs in no other browser than the one that asked for it.
text-sign-in = { $code } is your code to sign in at { $tenant }. It works for { $duration }. Give it to no one.
text-new-password = { $code } is your code to choose a new password at { $tenant }. It works for { $duration }. Give it to no one.
text-new-number = { $code } confirms your phone number at { $tenant }. It works for { $duration }. Give it to no one.
mail-code-subject = { $tenant }: your code to sign in
mail-code-text = This is the code to sign in at { $tenant }. Type it on the page that asked for it, and give it to no one. It works once, for { $duration }.
mail-code-button = Your code
mail-code-ignore = If you did not ask for a code, ignore this message. No one gets in without the code.
mail-credential-added-subject = { $kind ->
    [app] { $tenant }: an authenticator app was added to your account
    [backup-codes] { $tenant }: new backup codes for your account
    [passkey] { $tenant }: a passkey was added to your account
    [security-key] { $tenant }: a security key was added to your account
    [phone] { $tenant }: a phone number was added to your account
    [identity] { $tenant }: another account was connected to yours
    [wallet] { $tenant }: a wallet was added to your account
   *[other] { $tenant }: a way to sign in was added to your account
}
mail-credential-added-text = { $kind ->
    [app] An authenticator app was added to your account at { $tenant }. Its codes count as a proof that it is you.
    [backup-codes] New backup codes were made for your account at { $tenant }. Those that you had before no longer work.
    [passkey] A passkey was added to your account at { $tenant }.
    [security-key] A security key was added to your account at { $tenant }.
    [phone] A phone number was added to your account at { $tenant }. Codes that are sent to it count as a proof that it is you.
    [identity] An account that exists elsewhere was connected to your account at { $tenant }. It opens your account from now on.
    [wallet] A wallet was added to your account at { $tenant }. It opens your account from now on.
   *[other] A way to prove that it is you was added to your account at { $tenant }.
}
mail-credential-added-button = That was not me
mail-credential-added-ignore = If it was you, there is nothing to do.
mail-credential-removed-subject = { $kind ->
    [app] { $tenant }: an authenticator app was removed from your account
    [backup-codes] { $tenant }: backup codes were removed from your account
    [passkey] { $tenant }: a passkey was removed from your account
    [security-key] { $tenant }: a security key was removed from your account
    [phone] { $tenant }: your phone number was removed from your account
    [identity] { $tenant }: a connected account was removed from your account
    [wallet] { $tenant }: a wallet was removed from your account
   *[other] { $tenant }: a way to sign in was removed from your account
}
mail-credential-removed-text = { $kind ->
    [app] An authenticator app was removed from your account at { $tenant }.
    [backup-codes] Backup codes were removed from your account at { $tenant }.
    [passkey] A passkey was removed from your account at { $tenant }.
    [security-key] A security key was removed from your account at { $tenant }.
    [phone] Your phone number was removed from your account at { $tenant }.
    [identity] A connected account was removed from your account at { $tenant }. It no longer opens your account.
    [wallet] A wallet was removed from your account at { $tenant }. It no longer opens your account.
   *[other] A way to prove that it is you was removed from your account at { $tenant }.
}
mail-credential-removed-button = That was not me
mail-credential-removed-ignore = If it was you, there is nothing to do.
mail-handed-over-subject = Your account at { $tenant } was handed over to you
mail-handed-over-text = You have confirmed that this address is yours. What was added to the account before no longer opens it: a password, passkeys, apps, phone numbers, connected accounts. Everyone who was signed in to it is signed out.
mail-handed-over-button = That was not me
mail-handed-over-ignore = If it was you, there is nothing to do. You can add again what was yours in your account.
mail-deletion-subject = { $tenant }: your account will be deleted
mail-deletion-text = You asked for your account at { $tenant } to be deleted. For { $duration } you can keep it: follow the link, sign in, and choose “Keep my account”. Signing in alone is not enough. After that it is gone.
mail-deletion-button = Keep my account
mail-deletion-ignore = If you want it to be deleted, there is nothing to do. If you did not ask for this, keep it and change your password.
mail-new-address-subject = { $tenant }: confirm your new email address
mail-new-address-text = You want to use this address for your account at { $tenant }. Confirm it with this link, signed in as yourself.
mail-new-address-button = Confirm the address
mail-new-address-ignore = If it was not you, ignore this message. Nothing changes.
mail-address-taken-subject = { $tenant }: this address has an account already
mail-address-taken-text = Someone, hopefully you, wanted to use this address for another account at { $tenant }. It belongs to an account already, so nothing has changed. To use it for another account, first give the present one another address.
mail-address-taken-button = To { $tenant }
mail-address-taken-ignore = If it was not you, ignore this message. Nothing changes.
mail-address-changed-subject = { $tenant }: your account has another email address
mail-address-changed-text = The account that had this address at { $tenant } has another one now. It can no longer be opened with this address.
mail-address-changed-button = To { $tenant }
mail-address-changed-ignore = If it was not you, tell the people who run this service at once.
mail-address-undo-subject = { $tenant }: your account has another email address
mail-address-undo-text = The account that had this address at { $tenant } has another one now. It can no longer be opened with this address. If it was not you, take it back: your account gets this address again, and everything under way in it ends. If it has a password, you choose a new one.
mail-address-undo-button = Look at it
mail-address-undo-ignore = If it was you, there is nothing to do.
mail-changed-subject = { $tenant }: your password was changed
mail-changed-text = The password of the account with this address has just been changed at { $tenant }. If it was you, there is nothing to do.
mail-changed-button = It was not me
mail-changed-ignore = If it was not you, choose a new password at once and tell the people who run this service.
mail-changed-first-subject = { $tenant }: your account has a password now
mail-changed-first-text = The account with this address had no password; one has just been set at { $tenant }. If it was you, there is nothing to do.
mail-changed-first-button = It was not me
mail-changed-first-ignore = If it was not you, choose a new password at once and tell the people who run this service.
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
signin-for-account = to manage your account
signin-for-invitation = to accept an invitation
select-signed-out = Signed out
consent-identity = About you
consent-api = In { $api }
consent-write = Can make changes
consent-foreign = { $app } is not operated by { $tenant }.
consent-unverified = { $app } registered itself. No one at { $tenant } has checked its name or what it says about itself, and { $tenant } does not operate it.
consent-destination = If you allow it, you go on to
consent-take-back = You can take this back at any time:
consent-organization = This access is for your organization:
access-title = Applications with access
access-none = You have not allowed any application to use your account.
access-remove = Remove access of { $app }
access-note = An application whose access you remove loses it at once, and has to ask you again.
leaving-title = This request was refused
leaving-text = { $app } sent a request that cannot be served.
leaving-warning = The link below leads to a site that no one at { $tenant } has checked. Follow it only if you know it, and do not enter your password there.
leaving-go = Go to { $destination }

## Accounts of Ethereum
siwe-link = Sign in with Ethereum
siwe-wallet = Use the wallet of this browser
siwe-needs = You need a wallet with an Ethereum account. If this browser has none, enter the address of the account, sign the message in your wallet and paste the signature.
siwe-address = Address of your account
siwe-address-hint = 0x and 40 digits.
siwe-chain = Chain
siwe-next = Show the message to sign
siwe-text = Sign this message with your wallet. It costs nothing and sends no transaction.
siwe-sign = Sign with the wallet
siwe-message = Message
siwe-signature = Signature
siwe-submit = Send the signature
siwe-other = Use another address
siwe-cancelled = The wallet did not answer. Try again, or sign the message elsewhere and paste the signature.
siwe-missing = No wallet of this browser has that account. Choose the account in the wallet, or paste the signature.
login-by-wallet = with a wallet
error-siwe-address = That is no Ethereum address. Check for typing mistakes: capital letters count.
error-siwe-chain = Choose one of the chains offered here.
error-siwe-late = That message is too old or was used before. Start again.
error-siwe-failed = The signature is not one of that account for this message. Sign exactly this message.
error-siwe-unavailable = The signature cannot be checked now. Try again in a few minutes, or sign in another way.
error-siwe-not-enough = More is asked for here than a signature. Sign in another way.
notice-siwe-not-linked = No account here is connected with that address yet. Sign in as before; from then on your account opens with it, too.

## Guardians and recovery by them
account-guardians = Guardians
account-guarding = People you guard
guardians-text = Guardians are people whom you trust and who have an account here. When you cannot sign in any more, they confirm together that it is you. A guardian alone can do nothing, and none of them can see your account.
guardians-are-ready = { $count ->
    [one] One guardian counts, and { $threshold } are needed. Your guardians can help you.
   *[other] { $count } guardians count, and { $threshold } are needed. Your guardians can help you.
}
guardians-are-not-ready = { $count ->
    [0] No guardian counts yet. Invite some, and save below how many are needed; until then they cannot help you.
    [one] One guardian counts. Save below how many are needed when enough have accepted; until then they cannot help you.
   *[other] { $count } guardians count. Save below how many are needed; until then they cannot help you.
}
guardian-active = guardian
guardian-inactive = cannot sign in at present
guardian-invited = invited
guardian-since = Guardian since { $day }
guardian-invited-on = Invited on { $day }
guardian-remove = Remove { $email }
guardian-email = Email address of a person whom you trust
guardian-invite = Invite
guardian-rules = What is needed
guardian-threshold = Guardians who must confirm
guardian-wait = Hours of waiting after that
guardian-wait-hint = From { $least } to { $most } hours. Meanwhile we tell you in every way we can, and you can cancel.
guardian-rules-submit = Save
guardians-asked = Someone asks your guardians to recover your account.
guardians-asked-text = If it was not you, cancel it now. The person whom enough guardians confirm can choose a new password.
guardians-too-few = Fewer guardians count than are needed: they cannot recover your account.
guardians-look = Look at it
guardians-confirmed = { $count } of { $most } confirmed
guardians-ready-at = new password possible from
guarding-text = These people trust you to confirm that it is them when they cannot sign in any more.
guarding-none = You are not a guardian of anyone.
guarding-wait = People wait for your answer:
guarding-invited = { $name } asks you to be a guardian: to confirm, when they cannot sign in any more, that it is them. You see nothing of their account.
guarding-accept = Accept
guarding-decline = Decline
guarding-leave = Stop being a guardian of { $name }
guarding-asked = Someone claims to be { $name } and has been asking for your help since
guarding-call = Call { $name } first, by a number that you know, and let them read out the code. Never take the code from a message, nor from a person whose voice you do not know.
guarding-answered = You have answered. If you answer again, the last answer counts.
guarding-code = The code that { $name } reads out to you
guarding-confirm = Confirm that it is them
guarding-refuse = It is not them
forgot-guardians = I cannot read my mail: ask my guardians
recovery-ask-title = Ask your guardians
recovery-ask-text = Enter your email or user name. If the account has guardians, we ask them to confirm that it is you.
recovery-ask-submit = Ask them
recovery-title = Recovery by your guardians
recovery-text = If the account { $account } has guardians, they have been asked. Call them, and read out this code to each of them:
recovery-code-text = A guardian who types this code confirms this browser and no other. Stay with this browser: only here can you choose a new password.
recovery-confirmed = { $count ->
    [one] One guardian has confirmed.
   *[other] { $count } guardians have confirmed.
}
recovery-reached = Enough guardians have confirmed. You can choose a new password here from
recovery-come-back = Come back to this page in this browser to see how far it has got.
recovery-ready = Your guardians have confirmed. Choose a new password.
recovery-ready-hint = You are signed out everywhere, and passkeys, apps, phone numbers, backup codes, connected accounts and trusted browsers are removed. Set up what you need afterwards.
recovery-submit = Set the password
recovery-over = Too much time has passed, or it was cancelled. You can ask again.
recovery-again = Start again
recovery-cancel-title = Cancel the recovery?
recovery-cancel-text = Someone asks your guardians to recover your account. If it was not you, cancel it.
recovery-cancel-submit = Cancel the recovery
recovery-cancel-hint = Your account stays as it is. If you asked for it yourself, close this page.
notice-guardian-invited = We have mailed an invitation.
notice-guardian-removed = The guardian is removed.
notice-guardian-rules-saved = What is needed is saved.
notice-guardian-accepted = You are a guardian now.
notice-guardian-left = You are no longer a guardian there.
notice-recovery-confirmed = Your confirmation counts.
notice-recovery-refused = We have noted that it is not them.
notice-recovery-cancelled = The recovery is cancelled.
error-guardian-self = Enter the address of another person.
error-guardian-known = This address is invited already.
error-guardians-full = You have { $count } guardians, which is the most. Remove one first.
error-apps-full = You have { $count } apps, which is the most. Remove one first.
error-threshold = Choose at least { $count }, and no more than the guardians who count.
error-wait = Choose from { $count } to 720 hours.
error-recovery-code-wrong = That code is wrong. Let the person read it out again.
error-recovery-over = This recovery is over, or began before you were a guardian.
done-recovery-cancelled-title = The recovery is cancelled
done-recovery-cancelled-text = Your account stays as it is. If someone may know your password, change it.
done-recovered-title = You have your account back
done-recovered-text = Sign in with the new password, and set up your passkeys and two-step verification again.
text-recovery = Your account at { $tenant } is being recovered by your guardians. If it was not you, cancel it by our mail, or sign in.
mail-guardian-invitation-subject = { $tenant }: { $person } asks you to be a guardian
mail-guardian-invitation-text = { $person } trusts you and asks you to be a guardian at { $tenant }: to confirm, when they cannot sign in any more, that it is them. Sign in with the account that has this address, or register one, and answer within { $duration }.
mail-guardian-invitation-button = Answer
mail-guardian-invitation-ignore = If you do not know { $person }, ignore this message.
mail-guardian-accepted-subject = { $tenant }: { $person } is your guardian now
mail-guardian-accepted-text = { $person } has agreed to be a guardian of your account at { $tenant }.
mail-guardian-accepted-button = See your guardians
mail-guardian-accepted-ignore = If you have not invited anyone, remove the guardian and change your password.
mail-guardian-left-subject = { $tenant }: { $person } is not your guardian
mail-guardian-left-text = { $person } has declined, or is no longer a guardian of your account at { $tenant }. Check that you still have enough of them.
mail-guardian-left-button = See your guardians
mail-guardian-left-ignore = Otherwise there is nothing to do.
mail-guardian-rules-subject = { $tenant }: the rules for your guardians have changed
mail-guardian-rules-text = The number of guardians who must confirm, or the time that your account at { $tenant } waits after that, was changed.
mail-guardian-rules-button = See your guardians
mail-guardian-rules-ignore = If it was not you, change it back and choose a new password.
mail-recovery-asked-subject = { $tenant }: { $person } may need your help
mail-recovery-asked-text = Someone claims to be { $person } and says that they can no longer sign in at { $tenant }. First call { $person } on a number that you know, and have them read out the code. Never take it from a message. Then sign in and enter it.
mail-recovery-asked-button = Answer
mail-recovery-asked-ignore = If you cannot reach { $person }, do nothing: your silence changes nothing.
mail-recovery-opened-subject = { $tenant }: someone asks your guardians to recover your account
mail-recovery-opened-text = Someone, hopefully you, asked your guardians to recover your account at { $tenant }. When enough of them have confirmed and the waiting time is over, that person can choose a new password. If it was not you, cancel it here.
mail-recovery-opened-button = Cancel the recovery
mail-recovery-opened-ignore = If it was you, there is nothing to do: read out the code to your guardians.
mail-recovery-confirmed-subject = { $tenant }: a guardian has confirmed the recovery of your account
mail-recovery-confirmed-text = { $person } has confirmed that it is you who asked to recover your account at { $tenant }. If it was not you, cancel it here.
mail-recovery-confirmed-button = Cancel the recovery
mail-recovery-confirmed-ignore = If it was you, there is nothing to do.
mail-recovery-refused-subject = { $tenant }: a guardian has refused the recovery of your account
mail-recovery-refused-text = { $person } says that it is not you who asked to recover your account at { $tenant }. If it was not you, cancel it here.
mail-recovery-refused-button = Cancel the recovery
mail-recovery-refused-ignore = If it was you, call { $person }.
mail-recovery-reached-subject = { $tenant }: your account will be recovered
mail-recovery-reached-text = Enough guardians have confirmed. In { $duration } a new password for your account at { $tenant } can be chosen in the browser that asked. If it was not you, cancel it before that.
mail-recovery-reached-button = Cancel the recovery
mail-recovery-reached-ignore = If it was you, come back to the page in the browser in which you asked.
mail-recovered-subject = { $tenant }: your account was recovered
mail-recovered-text = Your guardians have confirmed, and your account at { $tenant } has a new password. You are signed out everywhere, and everything else that opened the account was removed.
mail-recovered-button = Sign in
mail-recovered-ignore = If it was not you, ask for a new password at once, and tell { $tenant }.

## Guests
anonymous-submit = Continue as a guest
guest-name = Guest
notice-here-as-guest = You are here as a guest. Create an account and you keep what you have here; if you sign in to another account, it stays behind.
account-keep = Keep your account
keep-text = You are here as a guest: only this browser opens your account, and it is deleted when you no longer use it. Give an email address to keep it. A link in the email lets you choose how to sign in; open it in this browser.
done-guest-elsewhere-title = Open the link in the browser you used
done-guest-elsewhere-text = It keeps the account of a guest, which is in the browser in which you asked for it. Open it there. If you did not ask for a link, ignore the mail.
done-guest-deleted-title = Your account is deleted
done-guest-deleted-text = You are signed out, and what was kept about you is deleted within minutes.

# Support staff who act for people
acting-label = Support access
acting-text = You are acting as { $account }.
acting-end = Stop acting
acting-account = To the account
account-support = Support access
support-about = When you need help, a member of the support team can act in your account for a limited time. They see what you see, and cannot change how you sign in. You can end it here at any time.
support-none = No one from support has acted in your account.
support-to-approvals = Answer the request of support
support-reason = Reason:
support-asks = { $person } from support asks to act in your account
support-what = They see what you see in the applications here. They cannot change your password, your address or how you sign in, and they allow nothing in your name. You can end it at any time.
support-end = End access
support-waiting = waiting for you
support-ready = approved, not begun
support-active = acting now
support-refused = refused
support-expired = not used in time
support-ended = ended
notice-support-ended = Support cannot act in your account any more.
login-impersonated = Support began to act for you
impersonate-title = Act for a person
impersonate-text = You are about to act in the account of { $account }.
impersonate-hint = Everything you do is recorded with your name ({ $account }). Your own sign-in stays and comes back when you stop.
impersonate-submit = Begin
done-impersonation-link-title = This link does not work here
done-impersonation-link-text = It works once, for five minutes, and only in the browser in which you are signed in as the person who asked for it. Ask for another link.
mail-impersonation-asked-subject = { $tenant }: support asks to act in your account
mail-impersonation-asked-text = { $person } from support at { $tenant } asks to act in your account for a limited time. Sign in to see the reason, and approve or refuse.
mail-impersonation-asked-button = See the request
mail-impersonation-asked-ignore = If you do nothing, no one gets access.
mail-impersonation-started-subject = { $tenant }: support is acting in your account
mail-impersonation-started-text = { $person } from support at { $tenant } has begun to act in your account for a limited time. You can see the reason, and end it, in your account.
mail-impersonation-started-button = See or end it
mail-impersonation-started-ignore = If you need no help from support, end it and tell us.
mail-impersonation-ended-subject = { $tenant }: support acted in your account
mail-impersonation-ended-text = { $person } from support at { $tenant } acted in your account. That is over. You can see the reason in your account.
mail-impersonation-ended-button = See it
mail-impersonation-ended-ignore = If you needed no help from support, tell us.
support-minutes = For { $duration }.

## Recovery by a proven factor

signin-for-recovery = First prove that it is you. Then you choose the new password.
recover-others = or prove in another way that it is you
recover-sms = Use a code by text message
recover-passkey = Use a passkey
recover-start-again = Back to all ways
error-phone-alone-not-enough = A code by text message alone is not enough for this account, which needs two-step verification. Use another way.
text-password-changed = The password of your account at { $tenant } was changed. If it was not you, choose a new one at once by “Forgot password?” on the sign-in page.

## Registration by a mailed code

register-by-code = Use a code by email instead of a password
register-code-sent = A message is on its way to { $email }. Type the code in it here. If you have an account already, follow the message.
register-name-text = { $email } is your address. What is your name?
mail-registration-code-subject = { $tenant }: your code to create an account
mail-registration-code-text = This is the code to create your account at { $tenant }. Type it on the page that asked for it, and give it to no one. It works once, for { $duration }.
mail-registration-code-button = Your code
mail-registration-code-ignore = If you did not ask for a code, ignore this message. No account is created without the code.

## Preview of branding and texts
preview-title = Preview of the look
preview-text = See how pages and mails look before you save it. Nothing that you enter here is kept.
preview-page = Page or mail
preview-scheme = Colours
preview-light = Light
preview-dark = Dark
preview-width = Screen
preview-wide = Computer
preview-phone = Phone
preview-organization = Organization, by its short name
preview-accent = Accent colour
preview-radius = Roundness of corners, in pixels
preview-font = Typeface
preview-font-system = The system’s own
preview-font-humanist = Humanist
preview-font-geometric = Geometric
preview-font-rounded = Rounded
preview-font-serif = With serifs
preview-font-monospace = Fixed width
preview-logo = Address of the logo
preview-sender = Sender of mails
preview-texts = Own texts in this language
preview-texts-hint = One a line: the key, an equals sign, the text.
preview-submit = Show
preview-frame = Preview
preview-mark = This is a preview. Nothing in it works.
