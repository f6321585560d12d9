### العربية.

## الإطار
footer = بحماية { $tenant }
title-error = خطأ:
legal-policy = سياسة الخصوصية
legal-terms = شروط الخدمة
continue = متابعة
continue-app = المتابعة إلى { $app }
back-to-signin = العودة إلى تسجيل الدخول

## تسجيل الدخول
signin-title = تسجيل الدخول
signin-to = للمتابعة إلى { $app }
signin-submit = تسجيل الدخول
sso-lead = تابع عبر { $name }. يسجّل أفراد مؤسستك الدخول هناك.
sso-alone = لا تُقبل هنا لمؤسستك طريقة أخرى لتسجيل الدخول.
sso-continue = متابعة
sso-address = البريد الإلكتروني للعمل
sso-link = تسجيل الدخول الموحّد
social-title = طرق أخرى لتسجيل الدخول
social-continue = المتابعة عبر { $name }
email-otp-link = الحصول على رمز بالبريد الإلكتروني
email-otp-address = عنوان البريد الإلكتروني
email-otp-send = إرسال الرمز
email-otp-sent = إذا كان لدينا حساب بالعنوان { $address }، فقد أرسلنا إليه رمزًا.
email-otp-label = الرمز الوارد في الرسالة
email-otp-resend = إرسال رمز جديد
email-otp-other = استخدام عنوان آخر
magic-link-link = الحصول على رابط لتسجيل الدخول بالبريد الإلكتروني
magic-link-send = إرسال الرابط
magic-link-sent = إذا كان لدينا حساب بالعنوان { $address }، فقد أرسلنا إليه رابطًا. افتحه في هذا المتصفح.
magic-link-resend = إرسال رابط جديد
magic-link-title = تسجيل الدخول
magic-link-text = هل تريد تسجيل الدخول باسم { $email }؟
sms-link = الحصول على رمز على هاتفك
sms-number = رقم الهاتف
sms-number-hint = مع رمز البلد، مثل { "\u2068+20 2 2345 6789\u2069" }.
sms-send = إرسال الرمز
sms-second = إرسال رمز إلى هاتفي
sms-sent = إذا كان لدينا حساب بالرقم { $number }، فقد أرسلنا إليه رمزًا.
sms-sent-second = أرسلنا رمزًا إلى هاتفك الذي ينتهي رقمه بالأرقام { $end }.
sms-label = الرمز الوارد في الرسالة النصية
sms-resend = إرسال رمز جديد
sms-other = استخدام رقم آخر
signin-forgot = هل نسيت كلمة المرور؟
signin-narrowed = لا تُقبل هنا إلا طرق تسجيل الدخول الموجودة في هذه الصفحة.
signin-none-accepted = لا تتوفر أي طريقة لتسجيل الدخول مقبولة هنا. تواصل مع أحد المسؤولين.
passkey-or = أو
passkey-submit = تسجيل الدخول بمفتاح مرور
passkey-second = استخدام مفتاح مرور أو مفتاح أمان
passkey-cancelled = لم يُستخدم أي مفتاح مرور. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.
passkey-failed = تعذّر استخدام مفتاح المرور هنا. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.
passkey-not-made = لم يُنشأ أي مفتاح مرور. حاول مرة أخرى أو اختر طريقة أخرى.
passkey-not-able = لا يستطيع هذا الجهاز إنشاء مفتاح مرور يعمل هنا. اختر طريقة أخرى أو استخدم جهازًا آخر.
passkey-needs-script = تحتاج مفاتيح المرور ومفاتيح الأمان إلى متصفح يشغّل JavaScript.
signin-register-ask = هل هذه أول مرة لك هنا؟
signin-register = إنشاء حساب
username-label = البريد الإلكتروني أو اسم المستخدم
email-label = البريد الإلكتروني
name-label = الاسم الكامل
password-label = كلمة المرور
password-show = إظهار كلمة المرور
strength-label = قوة كلمة المرور
strength-weak = ضعيفة
strength-fair = مقبولة
strength-good = جيدة
strength-strong = قوية
password-hint = { $count ->
    [zero] يمكن اختيار أي طول. من الأفضل استخدام عدة كلمات لا رابط بينها.
    [one] حرف واحد على الأقل.
    [two] حرفان على الأقل.
    [few] { $count } أحرف على الأقل. من الأفضل استخدام عدة كلمات لا رابط بينها.
    [many] { $count } حرفًا على الأقل. من الأفضل استخدام عدة كلمات لا رابط بينها.
   *[other] { $count } حرف على الأقل. من الأفضل استخدام عدة كلمات لا رابط بينها.
}

## التحقق بخطوتين
second-title = أكّد أنك صاحب الحساب
totp-label = الرمز من تطبيق المصادقة
totp-submit = تأكيد
backup-code-more = استخدام رمز احتياطي بدلًا من ذلك
backup-code-label = الرمز الاحتياطي
trust-browser = { $count ->
    [zero] عدم السؤال مرة أخرى اليوم في هذا المتصفح
    [one] عدم السؤال مرة أخرى في هذا المتصفح لمدة يوم واحد
    [two] عدم السؤال مرة أخرى في هذا المتصفح لمدة يومين
    [few] عدم السؤال مرة أخرى في هذا المتصفح لمدة { $count } أيام
    [many] عدم السؤال مرة أخرى في هذا المتصفح لمدة { $count } يومًا
   *[other] عدم السؤال مرة أخرى في هذا المتصفح لمدة { $count } يوم
}
set-up-passkey-why = يطلب { $tenant } أكثر مما أثبتّه حتى الآن. بمفتاح المرور تسجّل الدخول من الآن فصاعدًا ببصمة إصبعك أو وجهك أو رقمك السري.
set-up-totp-why = يطلب { $tenant } إثباتًا ثانيًا على أنك أنت. ينشئ تطبيق المصادقة على هاتفك رمزًا جديدًا كل 30 ثانية.
set-up-totp-begin = إعداد تطبيق
set-up-totp-scan = امسح هذه الصورة بالتطبيق.
set-up-totp-picture = رمز QR يحتوي على مفتاح تطبيقك
set-up-totp-key = ألا يمكنك مسح الصورة؟ اكتب هذا المفتاح في التطبيق:
set-up-totp-code = الرمز الذي يعرضه التطبيق
set-up-totp-submit = تفعيل

## إنشاء الحساب
register-title = أنشئ حسابك
register-submit = إنشاء الحساب
register-signin-ask = هل لديك حساب؟
register-signin = تسجيل الدخول
sent-title = تحقّق من بريدك الوارد
sent-hint = لم يصلك شيء بعد بضع دقائق؟ ابحث في مجلد البريد غير المرغوب فيه أو حاول مرة أخرى.
register-sent-text = أرسلنا رسالة إلى { $email }. افتح الرابط الوارد فيها لإكمال إنشاء حسابك.
prove-sent-text = أرسلنا رسالة إلى { $email }. افتح الرابط الوارد فيها لتأكيد أن هذا عنوانك، ثم يمكنك المتابعة.

## تأكيد عنوان
verify-title = أكّد بريدك الإلكتروني
verify-text = هل { $email } هو عنوانك؟
verify-choose = اختر طريقة تسجيل الدخول باسم { $email }.
verify-submit = نعم، أؤكّد
verify-passkey = إنشاء مفتاح مرور بدلًا من ذلك
verify-ignore = إذا لم تطلب هذا، فأغلق هذه الصفحة.

## الانضمام
join-title = هل تريد الانضمام إلى { $tenant }؟
join-text = لديك حساب بالفعل: { $account }. يمكنك به أن تصبح عضوًا في { $tenant }.
join-submit = الانضمام باسم { $account }
join-ignore = إذا لم ترغب في الانضمام، فأغلق هذه الصفحة.
invite-title = هل تريد الانضمام إلى { $organization }؟
invite-text = تلقّى { $email } دعوة إلى { $organization } لدى { $tenant }.
invite-choose = سيُنشأ لك حساب لهذا العنوان. اختر طريقة تسجيل الدخول.
invite-other = سُجّل الدخول هنا باسم شخص آخر. سجّل الدخول باسم { $email } لقبول الدعوة.
invite-switch = تسجيل الدخول باسم { $email }
invite-submit = قبول الدعوة
invite-ignore = إذا لم ترغب في ذلك، فأغلق هذه الصفحة. لن يحدث شيء.

## مركز الحساب
account-menu = حسابك
account-menu-open = القائمة
account-skip = تخطّي القائمة
account-overview = حسابك
account-profile = الملف الشخصي
account-password = كلمة المرور
account-passkeys = مفاتيح المرور ومفاتيح الأمان
account-identities = الحسابات المرتبطة
account-second-factors = التحقق بخطوتين
account-backup-codes = الرموز الاحتياطية
account-accounts = الحسابات في هذا المتصفح
account-sessions = الجلسات النشطة
account-login-history = سجلّ تسجيل الدخول
account-phone = رقم الهاتف
account-delegations = من يعمل نيابة عنك
account-organizations = المؤسسات
account-sso = تسجيل الدخول الموحّد
account-data = بياناتك
account-proven = مؤكَّد
account-is-set = معيَّنة
account-is-not-set = غير معيَّنة
account-apps = تطبيقات المصادقة
account-count = { $count ->
    [0] لا يوجد
   *[other] { $count }
}
account-save = حفظ
account-profile-text = ترى التطبيقات التي تسمح لها بالاطلاع على ملفك الشخصي ما تكتبه هنا.
account-email = عنوان البريد الإلكتروني
account-email-text = يُعتمد عنوانك الجديد بعد أن تفتح الرابط الذي نرسله إليه. حتى ذلك الحين يبقى العنوان الحالي.
account-phone-text = نرسل رمزًا إلى الرقم للتأكد من أنه رقمك. بعد ذلك يمكنك تسجيل الدخول برموز تُرسل إليه، واستخدامها حيث يُطلب إثبات ثانٍ.
account-phone-label = رقم الهاتف الجديد
account-phone-sent = أرسلنا رمزًا إلى { $number }. يُعتمد الرقم بعد أن تكتب الرمز.
new-address-label = عنوان البريد الإلكتروني الجديد
new-address-mail = إرسال رابط إليّ
new-address-title = تغيير عنوان بريدك الإلكتروني
new-address-text = هل تريد أن يكون { $email } عنوان حسابك؟
account-password-first = ليست لديك كلمة مرور بعد. بها يمكنك تسجيل الدخول من أي متصفح.
account-password-text = بعد حفظ كلمة مرور جديدة، يُسجَّل خروجك من كل مكان آخر.
given-name-label = الاسم الأول
family-name-label = اسم العائلة
nickname-label = اللقب
passkeys-text = بمفتاح المرور تسجّل الدخول ببصمة إصبعك أو وجهك أو رقمك السري بدلًا من كلمة المرور. لا يعمل المفتاح إلا في هذا العنوان، فلا يمكن لأحد أن يستدرجك لتعطيه إياه.
passkeys-none = ليس لديك مفتاح مرور بعد.
passkeys-add = إضافة مفتاح مرور
security-keys-add = إضافة مفتاح أمان
security-keys-text = مفتاح الأمان جهاز صغير تلمسه كخطوة ثانية عند تسجيل الدخول.
passkeys-security-key = مفتاح أمان، بعد كلمة المرور
passkeys-synced = منسوخ إلى أجهزتك الأخرى
passkeys-bound = على جهاز واحد فقط
passkeys-elsewhere = يعمل في { $host }، وليس هنا.
passkeys-present = يوجد على هذا الجهاز مفتاح مرور لحسابك بالفعل.
passkeys-not-made = لم يُضَف أي مفتاح مرور. حاول مرة أخرى عندما تكون مستعدًا.
passkeys-not-able = لا يستطيع هذا الجهاز إنشاء مفتاح مرور يعمل هنا. استخدم جهازًا آخر أو مفتاح أمان.
identities-text = يمكنك تسجيل الدخول هنا بحسابات لديك في أماكن أخرى. يفتح كل منها هذا الحساب كما تفتحه طرق دخولك الأخرى.
identities-none = لا يوجد حساب مرتبط.
identities-add = ربط حساب
identities-connect = ربط { $name }
second-factors-text = باستخدام تطبيق مصادقة على هاتفك، لا تكفي الخطوة الأولى وحدها، مثل كلمة المرور، لتسجيل الدخول باسمك.
second-factors-add = إضافة تطبيق
credential-name = الاسم
credential-rename = إعادة التسمية
credential-remove = إزالة
credential-added = أُضيف في { $day }
credential-used = آخر استخدام في { $day }
credential-ends = حتى { $day }
trusted-browsers = المتصفحات التي لا يُطلب فيها التحقق
trusted-browsers-forget = طلب التحقق فيها جميعًا من جديد
backup-codes-text = يتيح لك الرمز الاحتياطي الدخول مرة واحدة عندما لا يكون هاتفك معك. احتفظ بالرموز على ورقة، بعيدًا عن هاتفك.
backup-codes-left = { $count ->
    [zero] ليس لديك أي رمز.
    [one] بقي لديك رمز واحد.
    [two] بقي لديك رمزان.
    [few] بقيت لديك { $count } رموز.
    [many] بقي لديك { $count } رمزًا.
   *[other] بقي لديك { $count } رمز.
}
backup-codes-make = إنشاء رموز جديدة
backup-codes-note = تُلغي الرموز الجديدة الرموز القديمة.
backup-codes-once = اطبع هذه الرموز أو دوّنها الآن. لن تُعرض مرة أخرى.
backup-codes-copy = نسخ الرموز
backup-codes-copied = نُسخت الرموز.
backup-codes-print = طباعة
backup-codes-noted = حفظتُ الرموز
session-here = هذا المتصفح
session-unknown = متصفح غير معروف
session-since = تسجيل الدخول
session-seen = آخر نشاط
session-end = تسجيل الخروج هناك
sessions-end-others = تسجيل الخروج من كل مكان آخر
accounts-text = يمكنك تسجيل الدخول هنا بعدة حسابات والتبديل بينها. يبقى كل حساب مسجّل الدخول حتى تسجّل خروجه.
accounts-present = قيد الاستخدام
accounts-use = التبديل إلى هذا الحساب
accounts-end = تسجيل الخروج
accounts-add = إضافة حساب آخر
accounts-full = لا يتسع هذا المتصفح لمزيد من الحسابات. إضافة حساب تسجّل خروج الحساب الذي لم يُستخدم منذ أطول مدة.
accounts-end-all = تسجيل الخروج من جميع الحسابات
login-history-text = متى ومن أين سُجّل الدخول إلى حسابك، وما فشل من المحاولات، خلال الأشهر الثلاثة الماضية.
login-history-none = لم يُسجَّل أي دخول منذ بدء حفظ هذا السجلّ.
login-history-not-you = هل بينها ما لم يكن منك؟
login-success = سُجّل الدخول
login-failure = فشل
login-refused = مرفوض
login-disowned = لم تكن أنت
login-when = الوقت
login-with = باستخدام
login-from = من
login-by-password = بكلمة مرور
login-by-code = برمز
login-by-key = بمفتاح مرور أو مفتاح أمان
login-by-organization = عبر مؤسستك
login-by-provider = عبر مزوّد آخر
login-by-trusted-browser = في متصفح موثوق
login-new-device = لم يسبق لك تسجيل الدخول بهذا المتصفح.
login-new-network = لم يسبق لك تسجيل الدخول من هذه الشبكة.
login-unusual-hour = لا تسجّل الدخول عادةً في هذه الساعة من اليوم.
login-impossible-travel = سجّلت الدخول قبل ذلك بقليل من مكان بعيد لا يمكن السفر منه في هذا الوقت.
login-many-failures = فشلت عدة محاولات لتسجيل الدخول خلال يوم واحد.
login-disposable-address = عنوانك لدى مزوّد عناوين بريد مؤقتة.
undo-address-title = هل كان هذا أنت؟
undo-address-text = أصبح للحساب الذي كان له العنوان { $email } عنوان آخر.
undo-address-yes = إذا كنت أنت من غيّره، فلا داعي لفعل شيء: أغلق هذه الصفحة.
undo-address-submit = لا، أريد استعادة عنواني
undo-address-hint = عندئذٍ يعود هذا العنوان إلى الحساب. ننهي كل ما هو جارٍ فيه على جميع الأجهزة، ونزيل آخر ما أُضيف إليه. وإذا كانت له كلمة مرور، فتختار أنت كلمة جديدة.
was-this-you-title = هل كان هذا أنت؟
was-this-you-entered = سُجّل الدخول إلى حسابك.
was-this-you-refused = كان لدى شخص ما ما يلزم لتسجيل الدخول، مثل كلمة مرورك، ولم نسمح له بالدخول لأن المحاولة كانت غير معتادة إلى حد كبير.
was-this-you-yes = إذا كان هذا أنت، فلا داعي لفعل شيء: أغلق هذه الصفحة.
was-this-you-no = لا، لم يكن هذا أنا
was-this-you-hint = عندئذٍ ننهي كل ما هو جارٍ في حسابك على جميع الأجهزة. وإذا كانت له كلمة مرور، فتختار أنت كلمة جديدة.
delegations-text = التطبيقات والوكلاء الذين يعملون نيابة عنك لدى خدمات أخرى. ما تنهيه هنا ينتهي فورًا مع كل ما نتج عنه.
delegations-none = لا شيء يعمل نيابة عنك حاليًا.
delegation-purpose = الغرض:
delegation-end = إنهاء ما يفعله { $app } نيابة عنك
organizations-none = لا تنتمي إلى أي مؤسسة هنا. تظهر الدعوات في هذه الصفحة.
organization-roles = أدوارك:
organization-leave = مغادرة { $organization }
organization-sso = اختبار تسجيل الدخول الموحّد في { $organization }
account-sso-text = اختبر هل يمكن توجيه أفراد مؤسساتك إلى المزوّد. يقرأ الاختبار خطوة بخطوة ما ينشره المزوّد، ولا يسجّل دخول أحد ولا يغيّر أي إعداد.
sso-none = ليس لأي من مؤسساتك مزوّد بعد.
sso-connection-on = مفعّل
sso-connection-off = معطّل
sso-test = اختبار { $name }
sso-test-usable = يمكن توجيه الأفراد إلى هذا المزوّد.
sso-test-unusable = لا يمكن تسجيل الدخول عبر هذا المزوّد بعد.
sso-test-cut = أُهملت الخطوات التي تلي الخطوة الفاشلة. صحّح هذه الخطوة ثم اختبر من جديد.
sso-test-first-sign-in = لا يُعرف إلا عند تسجيل الدخول هل يقبل المزوّد هذا العميل وسرّه، وماذا يقول عن الأفراد. بعد تفعيل الاتصال، افتح صفحة تسجيل الدخول في نافذة خاصة واختر تسجيل الدخول الموحّد بعنوان من مؤسستك.
sso-redirect-uri = عنوان إعادة التوجيه الذي يجب تسجيله لدى المزوّد:
sso-backchannel-uri = عنوان تسجيل الخروج عبر القناة الخلفية، إن طلبه المزوّد:
sso-outcome-passed = ناجحة
sso-outcome-warning = تحذير
sso-outcome-failed = فاشلة
sso-step-discovery = وصف المزوّد
sso-step-issuer = اسم المزوّد
sso-step-endpoints = العناوين
sso-step-keys = المفاتيح
sso-step-client-auth = مصادقة هذا العميل
sso-step-id-token = توقيع رموز الهوية
sso-step-pkce = حماية الرموز (PKCE)
sso-found-described = يصف المزوّد نفسه في { $value }.
sso-found-unreachable = تعذّر الوصول إلى { $value }. تحقّق من صحة المُصدِر (issuer) في الاتصال ومن إمكان الوصول إلى المزوّد من الإنترنت.
sso-found-refused = أجاب المزوّد عن { $value } بخطأ. ابحث عن المُصدِر (issuer) الصحيح في إعدادات المزوّد.
sso-found-no-document = ما يوجد في { $value } لا يصف مزوّدًا. ابحث عن المُصدِر (issuer) الصحيح في إعدادات المزوّد.
sso-found-same-issuer = يسمّي المزوّد نفسه كما في الاتصال.
sso-found-other-issuer = يسمّي المزوّد نفسه «{ $value }». اجعل المُصدِر (issuer) في الاتصال مطابقًا لذلك تمامًا.
sso-found-endpoints = يمكن استدعاء عناوين تسجيل الدخول والرموز والمفاتيح.
sso-found-endpoint-missing = ينقص { $value } في وصف المزوّد. اطلب من مسؤول المزوّد نشره.
sso-found-endpoint-out-of-reach = لا يمكن استدعاء العنوان في { $value } من هنا: يجب أن يكون عامًّا وأن يبدأ بـ https. اطلب من مسؤول المزوّد تصحيحه.
sso-found-keys = المفاتيح في { $value } مفهومة.
sso-found-no-keys = تعذّرت قراءة مفاتيح صالحة في { $value }. اطلب من مسؤول المزوّد نشر مجموعة مفاتيح (JWKS) هناك.
sso-found-client-auth = يقبل المزوّد { $value } كما هو مضبوط في الاتصال.
sso-found-other-client-auth = لا يقبل المزوّد مصادقة العميل المضبوطة. اختر واحدة من هذه: { $value }.
sso-found-id-tokens = يوقّع المزوّد رموز الهوية باستخدام { $value }.
sso-found-other-id-tokens = لا يوقّع المزوّد رموز الهوية بطريقة مقبولة هنا. اضبط لديه واحدة من هذه: { $value }.
sso-found-pkce = يتحقّق المزوّد من الرموز باستخدام S256.
sso-found-pkce-unsaid = لا يذكر المزوّد أنه يدعم PKCE مع S256. يعمل تسجيل الدخول مع ذلك، ويُرسَل التحدّي على أي حال. فعّل PKCE لديه إن أمكن.
invitation-to = دعوة إلى { $organization }
invitation-join = الانضمام إلى { $organization }
invitation-decline = رفض
data-text = نزّل ما يُحفظ عنك هنا: ملفك الشخصي، وطرق تسجيل الدخول من دون أسرارها، والأماكن التي سجّلت الدخول فيها، وما سمحت به للتطبيقات، ومؤسساتك. الملف بصيغة JSON التي تستطيع برامج أخرى قراءتها.
data-submit = تنزيل
account-deletion = حذف حسابك
deletion-text = سيُسجَّل خروجك من كل مكان فورًا. { $count ->
    [zero] بعد ذلك يُحذف حسابك مع كل ما فيه.
    [one] يمكنك خلال يوم واحد الاحتفاظ بحسابك: سجّل الدخول إليه هنا واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف مع كل ما فيه.
    [two] يمكنك خلال يومين الاحتفاظ بحسابك: سجّل الدخول إليه هنا واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف مع كل ما فيه.
    [few] يمكنك خلال { $count } أيام الاحتفاظ بحسابك: سجّل الدخول إليه هنا واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف مع كل ما فيه.
    [many] يمكنك خلال { $count } يومًا الاحتفاظ بحسابك: سجّل الدخول إليه هنا واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف مع كل ما فيه.
   *[other] يمكنك خلال { $count } يوم الاحتفاظ بحسابك: سجّل الدخول إليه هنا واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف مع كل ما فيه.
}
deletion-sure = أريد حذف حسابي.
deletion-submit = حذف حسابي
deletion-due = سيُحذف حسابك في { $day }.
deletion-keep = الاحتفاظ بحسابي

## نسيان كلمة المرور
forgot-title = إعادة تعيين كلمة المرور
forgot-text = أخبرنا من أنت وسنرسل إليك رابطًا لاختيار كلمة مرور جديدة.
forgot-submit = إرسال الرابط
forgot-sent-text = إذا كان هناك حساب مطابق، فقد أرسلنا إلى بريده الإلكتروني رابطًا لاختيار كلمة مرور جديدة.
reset-title = اختر كلمة مرور جديدة
reset-text = للحساب { $account }
new-password-label = كلمة المرور الجديدة
reset-submit = حفظ كلمة المرور

## الموافقة
consent-title = يطلب { $app } الوصول إلى حسابك
consent-switch = ألست أنت؟
consent-allow = سماح
consent-deny = عدم السماح
consent-note = لا تسمح بهذا إلا إذا كنت تثق في { $app }.
consent-home = حول هذا التطبيق
scope-openid = معرفة من أنت عند تسجيل الدخول
scope-profile = الاطلاع على ملفك الشخصي، مثل اسمك وصورتك
scope-email = الاطلاع على عنوان بريدك الإلكتروني
scope-address = الاطلاع على عنوانك البريدي
scope-phone = الاطلاع على رقم هاتفك
scope-offline-access = الاحتفاظ بهذا الوصول في غيابك
claim-name = الاطلاع على اسمك الكامل
claim-given-name = الاطلاع على اسمك الأول
claim-family-name = الاطلاع على اسم عائلتك
claim-middle-name = الاطلاع على اسمك الأوسط
claim-nickname = الاطلاع على لقبك
claim-preferred-username = الاطلاع على اسم المستخدم الخاص بك
claim-profile = الاطلاع على عنوان صفحة ملفك الشخصي
claim-picture = الاطلاع على صورتك
claim-website = الاطلاع على عنوان موقعك
claim-gender = الاطلاع على جنسك
claim-birthdate = الاطلاع على تاريخ ميلادك
claim-zoneinfo = الاطلاع على منطقتك الزمنية
claim-locale = الاطلاع على لغتك
claim-updated-at = الاطلاع على وقت آخر تغيير لملفك الشخصي
claim-email-verified = معرفة ما إذا كان عنوان بريدك الإلكتروني مؤكَّدًا
claim-phone-number-verified = معرفة ما إذا كان رقم هاتفك مؤكَّدًا

## اختيار حساب
select-title = اختر حسابًا
select-other = استخدام حساب آخر
organization-title = اختر مؤسسة
organization-legend = مؤسساتك
organization-submit = متابعة
organization-deny = إلغاء
organization-none = لا ينتمي حسابك إلى مؤسسة بعد. اطلب من مسؤول في مؤسستك أن يضيفك، أو استخدم حسابًا آخر.
organization-none-named = لا ينتمي حسابك إلى المؤسسة التي يطلبها التطبيق. استخدم حسابًا آخر أو ارجع.

## What people are asked for
field-optional = (اختياري)
field-choose = اختر
complete-title = قبل المتابعة
complete-text = يحتاج { $tenant } إلى ما يلي منك.
complete-later = ليس الآن
terms-accept = أوافق على:
terms-submit = أوافق
terms-none = لم توافق على أي مستند بعد.
terms-version = الإصدار:
terms-accepted = تاريخ الموافقة:
account-terms = الشروط
account-terms-text = المستندات التي وافقت عليها هنا، ومتى.
account-details = تفاصيلك
account-details-text = ما يطلبه منك { $tenant }.

## الأجهزة والموافقات
device-title = توصيل جهاز
device-text = أدخل الرمز الذي يعرضه جهازك.
device-code-label = الرمز
device-submit = متابعة
device-warning = لا تتابع إلا إذا بدأت هذا بنفسك، على جهاز أمامك. لا يحتاج من يعرض عليك المساعدة إلى أي رمز منك.
approvals-title = بانتظار موافقتك
approvals-none = لا شيء ينتظرك.
approvals-warning = لا تسمح إلا بما بدأته بنفسك، وفقط إذا كان كل شيء هنا مطابقًا لما تراه هناك. إذا أرسلك شخص ما إلى هنا، فلا تسمح بذلك: سيدخل إلى حسابك.
approvals-code = يجب أن يعرض جهازك هذا الرمز:
approvals-message = يجب أن يعرض الطرف الآخر هذه الرسالة:
approvals-expires = تنتهي الصلاحية خلال { $duration }.

## تسجيل الخروج
signout-title = هل تريد تسجيل الخروج؟
signout-app = يطلب { $app } تسجيل خروجك.
signout-text = سيُسجَّل خروجك من { $tenant } في هذا المتصفح.
signout-choose = من أي حساب تريد تسجيل الخروج في هذا المتصفح؟
signout-submit = تسجيل الخروج
signout-stay = للبقاء مسجّل الدخول، أغلق هذه الصفحة.
signedout-title = سُجّل خروجك
signedout-text = يمكنك إغلاق هذه النافذة بأمان.
signedout-others = لا تزال حسابات أخرى مسجّلة الدخول في هذا المتصفح.
signedout-others-link = عرض الحسابات

## العودة إلى التطبيق
formpost-title = أوشكنا على الانتهاء
formpost-text = نعيدك الآن إلى التطبيق.

## أخطاء النماذج وإشعاراتها
error-wrong-credentials = اسم المستخدم أو كلمة المرور غير صحيحة. حاول مرة أخرى.
error-too-many-attempts = محاولات كثيرة جدًا. حاول مرة أخرى بعد { $duration }.
error-unavailable-for = لا يمكن الوصول إلى الخدمة في الوقت الحالي. حاول مرة أخرى بعد { $duration }.
error-locked-out = محاولات كثيرة جدًا. انتظر { $duration } أو أعد تعيين كلمة المرور.
error-code-wrong = هذا الرمز خاطئ أو قديم جدًا أو سبق استخدامه. انتظر الرمز التالي وحاول مرة أخرى.
error-app-lost = فُقد هنا مفتاح تطبيق المصادقة الخاص بك، ولذلك لم تعد رموزه صالحة. سجّل الدخول بطريقة أخرى، كرمز احتياطي، ثم أعِد إعداد التطبيق في حسابك وأزِل القديم. إن لم تكن هناك طريقة أخرى، فتواصل مع القائمين على هذه الخدمة.
error-backup-code-wrong = هذا الرمز الاحتياطي خاطئ أو سبق استخدامه. تحقّق من كتابته أو استخدم رمزًا آخر.
error-mail-code-wrong = هذا الرمز خاطئ أو قديم جدًا أو سبق استخدامه. راجع أحدث رسالة أو اطلب رمزًا جديدًا.
error-sign-in-unusual = تبدو محاولة الدخول هذه غير معتادة إلى حد لا يسمح بقبولها. استخدم متصفحًا سبق أن سجّلت الدخول فيه أو مفتاح مرور، أو اختر كلمة مرور جديدة. أرسلنا إليك رسالة بالبريد الإلكتروني.
error-sign-in-unusual-untold = تبدو محاولة الدخول هذه غير معتادة إلى حد لا يسمح بقبولها. استخدم متصفحًا سبق أن سجّلت الدخول فيه أو مفتاح مرور.
error-way-not-accepted = طريقة تسجيل الدخول هذه غير مقبولة هنا.
error-sign-in-refused = لا يمكنك تسجيل الدخول هنا الآن. اسأل المؤسسة صاحبة التطبيق الذي تريد استخدامه.
error-sign-in-unavailable = تسجيل الدخول غير متاح الآن. حاول مرة أخرى بعد قليل.
error-second-factor-out-of-reach = يحتاج تسجيل الدخول هذا إلى خطوة تحقق ثانية، ولم تُعَدّ في حسابك. اسأل المؤسسة صاحبة التطبيق الذي تريد استخدامه.
error-mail-code-not-enough = لا يكفي رمز أو رابط مرسل بالبريد الإلكتروني لهذا الحساب. سجّل الدخول بطريقة أخرى، كمفتاح مرور أو عبر مؤسستك.
error-mail-code-needs-password = لا يكفي رمز أو رابط مرسل بالبريد الإلكتروني لهذا الحساب، وليست له كلمة مرور بعد. اختر واحدة عبر «هل نسيت كلمة المرور؟» ثم سجّل الدخول بها.
error-text-code-wrong = هذا الرمز خاطئ أو قديم جدًا أو سبق استخدامه. راجع أحدث رسالة نصية أو اطلب رمزًا جديدًا.
error-text-code-not-enough = لا يكفي رمز مرسل برسالة نصية لهذا الحساب. سجّل الدخول بكلمة المرور أو بمفتاح مرور أو عبر مؤسستك.
error-provider-not-enough = المزوّد الذي سجّل دخولك معتمد هنا فقط، وهذا لا يكفي لتغيير طريقة دخولك إلى هذا الحساب في كل مكان. سجّل الدخول بكلمة المرور أو بمفتاح مرور أو برمز يُرسل إليك.
error-provider-alone = لا تسمح لك مؤسستك بتسجيل الدخول إلا لدى مزوّدها، وهو معتمد هنا فقط. هذا لا يكفي لهذه الصفحة: راجع مسؤول مؤسستك.
error-phone-invalid = أدخل رقم هاتف مع رمز البلد، مثل { "\u2068+20 2 2345 6789\u2069" }.
error-phone-same = هذا الرقم مسجّل في حسابك بالفعل.
error-email-enforced = تحدد مؤسستك طريقة تسجيل دخولك بحسب هذا العنوان. اطلب عنوانًا آخر من مسؤولها.
error-phone-taken = هذا الرقم مسجّل في حساب آخر. أزله من هناك أولًا.
error-sso-unknown = لم يُعَدّ تسجيل دخول موحّد لهذا العنوان. سجّل الدخول بطريقة أخرى.
error-sso-failed = لم ينجح تسجيل الدخول عبر مؤسستك. حاول مرة أخرى أو اسأل المسؤول.
error-sso-no-member = سُجّل دخولك لدى مؤسستك، لكنها لم تمنحك وصولًا هنا. اسأل المسؤول.
error-social-failed = لم ينجح تسجيل الدخول هناك. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.
error-provider-not-fresh = يلزم هنا تسجيل دخول جديد، وتسجيل دخولك هناك قديم جدًا. سجّل الدخول هناك من جديد أو بطريقة أخرى.
error-provider-declined = أُلغي تسجيل الدخول هناك، أو لا يسمح لك حسابك هناك باستخدام هذه الخدمة. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.
error-provider-unfinished = لم يكتمل تسجيل الدخول هناك: ما زال مطلوبًا منك شيء هناك. حاول مرة أخرى حتى النهاية أو سجّل الدخول بطريقة أخرى.
error-provider-unavailable = تسجيل الدخول هناك غير متاح حاليًا. حاول مرة أخرى بعد قليل أو سجّل الدخول بطريقة أخرى.
error-social-unknown = لا يوجد هنا حساب مرتبط بذلك الحساب بعد. سجّل الدخول بطريقة أخرى، ثم اربطه من حسابك.
error-social-no-account = لا يوجد حساب بعنوانك، ولا يمكن إنشاء حسابات جديدة هنا.
error-name-invalid = اكتب كل اسم في سطر واحد لا يزيد على 200 حرف.
error-credential-name = اكتب الاسم في سطر واحد لا يزيد على 60 حرفًا.
error-second-factor-needed = التحقق بخطوتين مطلوب هنا. أضف تطبيقًا آخر قبل إزالة هذا التطبيق.
error-second-factor-missing = تحلّ الرموز الاحتياطية محلّ الخطوة الثانية من التحقق. أعِدّ التحقق بخطوتين أولًا.
error-organization-owned = أنت مالك هذه المؤسسة. اجعل عضوًا آخر مالكًا لها أولًا.
error-sso-tested = اختُبر هذا الاتصال للتوّ. انتظر عشر ثوانٍ ثم اختبره من جديد.
error-deletion-refused = لا يمكن حذف حسابك الآن. إذا كنت مالك مؤسسة، فاجعل عضوًا آخر مالكًا لها أولًا.
error-deletion-unsure = ضع علامة في المربع لحذف حسابك.
error-last-operator = أنت آخر شخص يمكنه إدارة هذه الخدمة. امنح عضوًا آخر الصلاحيات نفسها أولًا.
error-username-missing = أدخل بريدك الإلكتروني أو اسم المستخدم.
error-captcha-missing = أكّد أنك لست روبوتًا.
error-captcha-wrong = فشل هذا التحقق أو استغرق وقتًا طويلًا. حاول مرة أخرى.
error-captcha-unknown = لا يمكن إجراء التحقق من الروبوتات الآن. حاول مرة أخرى بعد قليل.
captcha-working = نتحقق من أنك لست روبوتًا…
captcha-done = تم التحقق: لست روبوتًا.
captcha-needs-script = تحتاج هذه الخطوة إلى JavaScript لمنع دخول الروبوتات. فعّله وأعد تحميل الصفحة.
captcha-failed = تعذّر تحميل التحقق من الروبوتات. إذا كان شيء ما يمنعه، مثل مانع الإعلانات، فاسمح به وأعد تحميل الصفحة.
error-password-missing = أدخل كلمة المرور.
error-answers-incomplete = هناك شيء ناقص أو غير صحيح. راجع ما هو محدد.
error-terms-not-accepted = وافق على هذا للمتابعة.
error-answer-missing = املأ هذا الحقل.
error-answer-invalid = لا يمكن استخدام هذا هنا. راجع ما أدخلته.
error-answer-too-short = { $count ->
    [zero] استخدم { $count } حرف على الأقل.
    [one] استخدم حرفًا واحدًا على الأقل.
    [two] استخدم حرفين على الأقل.
    [few] استخدم { $count } أحرف على الأقل.
    [many] استخدم { $count } حرفًا على الأقل.
   *[other] استخدم { $count } حرف على الأقل.
}
error-answer-too-long = { $count ->
    [zero] استخدم { $count } حرف على الأكثر.
    [one] استخدم حرفًا واحدًا على الأكثر.
    [two] استخدم حرفين على الأكثر.
    [few] استخدم { $count } أحرف على الأكثر.
    [many] استخدم { $count } حرفًا على الأكثر.
   *[other] استخدم { $count } حرف على الأكثر.
}
error-name-missing = أدخل اسمك.
error-email-invalid = أدخل عنوان بريد إلكتروني، مثل { "\u2068you@example.com\u2069" }.
error-email-same = هذا العنوان مسجّل في حسابك بالفعل.
error-registration-refused = لا يمكنك التسجيل هنا بهذا العنوان. استخدم عنوانًا آخر أو اسأل المؤسسة صاحبة التطبيق الذي تريد استخدامه.
error-registration-unavailable = التسجيل غير متاح الآن. حاول مرة أخرى بعد قليل.
error-password-too-short = { $count ->
    [zero] كلمة المرور مطلوبة.
    [one] يجب أن تحتوي كلمة المرور على حرف واحد على الأقل.
    [two] يجب أن تحتوي كلمة المرور على حرفين على الأقل.
    [few] يجب أن تحتوي كلمة المرور على { $count } أحرف على الأقل.
    [many] يجب أن تحتوي كلمة المرور على { $count } حرفًا على الأقل.
   *[other] يجب أن تحتوي كلمة المرور على { $count } حرف على الأقل.
}
error-password-too-long = { $count ->
    [zero] كلمة المرور طويلة جدًا.
    [one] يجب ألا تزيد كلمة المرور على حرف واحد.
    [two] يجب ألا تزيد كلمة المرور على حرفين.
    [few] يجب ألا تزيد كلمة المرور على { $count } أحرف.
    [many] يجب ألا تزيد كلمة المرور على { $count } حرفًا.
   *[other] يجب ألا تزيد كلمة المرور على { $count } حرف.
}
error-password-too-common = من السهل تخمين كلمة المرور هذه. اختر كلمة أخرى.
error-password-breached = كلمة المرور هذه معروفة من تسريب في موقع آخر. اختر كلمة أخرى.
error-password-unchecked = لا يمكن التحقق من كلمة المرور هذه الآن. حاول مرة أخرى بعد قليل.
error-passkey-unknown = مفتاح المرور هذا غير معروف هنا. ربما أُزيل من حسابك: سجّل الدخول بطريقة أخرى.
error-passkey-late = استغرق ذلك وقتًا طويلًا. حاول مرة أخرى.
error-passkey-locked = افتح قفل مفتاح المرور عندما يطلب جهازك ذلك، ببصمة إصبعك أو وجهك أو رقمك السري.
error-passkey-failed = تعذّر التحقق من مفتاح المرور. حاول مرة أخرى أو سجّل الدخول بطريقة أخرى.
error-last-credential = هذه آخر طريقة لتسجيل الدخول إلى حسابك. أضف طريقة أخرى أولًا.
error-passkey-taken = تعذّرت إضافة مفتاح المرور هذا: إما أنه مستخدم بالفعل أو أن لديك مفاتيح كثيرة جدًا. أزِل مفتاحًا لم تعد تستخدمه.
error-user-code = هذا الرمز غير صحيح أو انتهت صلاحيته. انظر إلى جهازك مرة أخرى.
notice-sign-in-again = سجّل الدخول مرة أخرى للمتابعة.
notice-one-more-step = خطوة واحدة أخرى: أثبت بطريقة ثانية أنك صاحب الحساب.
notice-address-mailed = أرسلنا رابطًا إلى العنوان الجديد. افتحه لتأكيد التغيير.
notice-phone-added = تم تأكيد رقم الهاتف.
notice-phone-removed = أُزيل رقم الهاتف.
notice-account-kept = سيبقى حسابك.
notice-terms-accepted = لقد وافقت.
notice-details-saved = تم حفظ تفاصيلك.
notice-profile-saved = حُفظ ملفك الشخصي.
notice-credential-added = تمت الإضافة.
notice-social-known-address = يوجد حساب بعنوانك بالفعل. سجّل الدخول إليه كما كنت تفعل من قبل؛ بعد ذلك يمكنك فتحه بالحساب الآخر أيضًا.
notice-social-not-linked = لا نعرف ذلك الحساب بعد، وليس له عنوان مؤكَّد. سجّل الدخول كما كنت تفعل من قبل أو أنشئ حسابًا هنا؛ بعد ذلك يمكنك فتحه بالحساب الآخر أيضًا.
notice-identity-linked = تم الربط.
notice-identity-taken = ذلك الحساب مرتبط بالفعل بحساب آخر هنا، أو أن حسابك مرتبط بالفعل بحساب آخر لدى المزوّد نفسه.
notice-credential-renamed = تمت إعادة التسمية.
notice-credential-removed = تمت الإزالة.
notice-browsers-forgotten = سيُطلب التحقق بخطوتين من جديد في كل المتصفحات.
notice-sessions-ended = تم تسجيل الخروج هناك.
notice-account-switched = لقد بدّلت الحساب.
notice-account-signed-out = سُجّل خروجك من ذلك الحساب.
notice-other-account = كانت تلك الصفحة لحساب آخر، لذلك لم يتغير شيء.
notice-signed-out-meanwhile = سُجّل خروجك في هذه الأثناء، لذلك لم يتغير شيء. سجّل الدخول واملأ النموذج مرة أخرى.
notice-link-of-another = هذا الرابط لحساب غير الحساب المسجَّل دخوله هنا. سجّل الدخول بالحساب الذي طلبه.
notice-organization-left = غادرت المؤسسة.
notice-organization-joined = أنت الآن عضو في المؤسسة.
notice-invitation-declined = رفضت الدعوة.
notice-invitation-gone = لم تعد الدعوة صالحة.
notice-delegation-ended = لم يعد يعمل نيابة عنك.
notice-password-changed = تم تغيير كلمة مرورك. سجّل الدخول بالكلمة الجديدة.

## النتائج
done-email-verified-title = تم تأكيد البريد الإلكتروني
done-email-verified-text = حسابك جاهز للاستخدام.
done-deletion-begun-title = سيُحذف حسابك
done-deletion-begun-text = سُجّل خروجك من كل مكان. أرسلنا إليك بالبريد الإلكتروني كيفية الاحتفاظ به.
done-address-changed-title = تم تغيير عنوان البريد الإلكتروني
done-address-changed-text = من الآن فصاعدًا، سجّل الدخول بعنوانك الجديد.
done-address-restored-title = استعدت عنوانك
done-address-restored-text = عاد هذا العنوان إلى الحساب، وأنهينا كل ما كان جاريًا فيه. راجع طرق تسجيل الدخول عند دخولك في المرة القادمة.
done-address-occupied-title = أصبح هذا العنوان لحساب آخر
done-address-occupied-text = لا يمكن التراجع عن التغيير إلا ما دام العنوان ليس لحساب آخر. أخبر القائمين على هذه الخدمة.
done-password-changed-title = تم تغيير كلمة المرور
done-password-changed-text = من الآن فصاعدًا، سجّل الدخول بكلمة مرورك الجديدة.
done-sign-in-disowned-title = شكرًا لإخبارنا
done-sign-in-disowned-text = أنهينا كل ما كان جاريًا في حسابك. راجع طرق تسجيل الدخول عند دخولك في المرة القادمة.
done-password-taken-title = شكرًا لإخبارنا
done-password-taken-text = أنهينا كل ما كان جاريًا في حسابك، ولم تعد كلمة مروره صالحة. اطلب كلمة مرور جديدة من المسؤول، أو من أشخاصك الموثوقين إن كنت قد اخترتهم.
done-changed-since-title = فات أوان هذا الرابط
done-changed-since-text = بعد تسجيل الدخول هذا تم تغيير كلمة المرور، أو أُنهي كل شيء بالفعل. إذا لم يكن هذا أنت، فاختر الآن كلمة مرور جديدة: فهي تُنهي كل ما هو جارٍ في حسابك. ثم راجع طرق تسجيل الدخول.
done-invitation-accepted-title = مرحبًا بك
done-invitation-accepted-text = أصبحت الآن عضوًا في المؤسسة.
done-opened-elsewhere-title = افتح الرابط حيث طلبته
done-opened-elsewhere-text = لا يسجّل الدخول إلا في المتصفح الذي طلبته فيه. افتحه هناك أو اطلب رابطًا جديدًا في هذا المتصفح. إذا لم تطلب رابطًا، فتجاهل الرسالة.
done-link-expired-title = لم يعد هذا الرابط صالحًا
done-link-expired-text = سبق استخدامه أو مرّ عليه وقت طويل. اطلب رابطًا جديدًا.
done-refused-title = لم يُمنح الوصول
done-refused-text = لم تُشارَك أي معلومات. يمكنك إغلاق هذه النافذة.
done-approved-title = تم السماح
done-approved-text = يمكنك العودة إلى جهازك. سيتابع تلقائيًا بعد لحظات.
done-support-allowed-title = تم السماح
done-support-allowed-text = يمكن للدعم الآن العمل في حسابك خلال المدة المطلوبة. يمكنك إغلاق هذه النافذة.
done-decided-title = هذا الطلب مغلق
done-decided-text = سبق الرد عليه أو انتهت مدته. لم يتغير شيء الآن.

## صفحات الأخطاء
problem-request-title = تعذّر إكمال هذا الطلب
problem-request-text = أرسل التطبيق شيئًا لا يمكننا قبوله. ارجع إليه وحاول مرة أخرى؛ وإذا لم يفد ذلك، فأخبر صانعيه.
problem-not-found-title = الصفحة غير موجودة
problem-not-found-text = لا يوجد شيء في هذا العنوان. تحقّق منه أو ارجع من حيث أتيت.
problem-large-title = الحجم كبير جدًا
problem-large-text = أرسل متصفحك أكثر مما نقبله. ارجع وأرسل أقل. إذا تكرّر ذلك في كل صفحة، فاحذف ملفات تعريف الارتباط لهذا الموقع.
problem-rate-title = طلبات كثيرة جدًا
problem-rate-text = انتظر قليلًا قبل أن تحاول مرة أخرى.
problem-expired-title = انتهت الصلاحية
problem-expired-text = ارجع إلى التطبيق وابدأ من جديد.
problem-denied-title = الوصول مرفوض
problem-denied-text = لا يُسمح لك بهذا. إذا كنت ترى أنه ينبغي أن يُسمح لك، فاسأل القائمين على هذه الخدمة.
problem-server-title = حدث خطأ ما
problem-server-text = الخطأ من جانبنا. حاول مرة أخرى؛ وإذا تكرّر، فاذكر معرّف الطلب أدناه.
problem-unavailable-title = سنعود قريبًا
problem-unavailable-text = لا يمكن الوصول إلى الخدمة في الوقت الحالي. حاول مرة أخرى بعد قليل.
problem-retry = إعادة المحاولة
problem-code = رمز الخطأ
problem-detail = تفاصيل للمطورين
problem-request = معرّف الطلب

## الرسائل
mail-greeting = مرحبًا { $name }،
mail-greeting-plain = مرحبًا،
mail-expires = يعمل الرابط مرة واحدة، لمدة { $duration }.
mail-link = إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:
duration-minutes = { $count ->
    [zero] أقل من دقيقة
    [one] دقيقة واحدة
    [two] دقيقتين
    [few] { $count } دقائق
    [many] { $count } دقيقة
   *[other] { $count } دقيقة
}
duration-days = { $count ->
    [zero] أقل من يوم
    [one] يوم واحد
    [two] يومين
    [few] { $count } أيام
    [many] { $count } يومًا
   *[other] { $count } يوم
}
duration-hours = { $count ->
    [zero] أقل من ساعة
    [one] ساعة واحدة
    [two] ساعتين
    [few] { $count } ساعات
    [many] { $count } ساعة
   *[other] { $count } ساعة
}
mail-verify-subject = أكّد بريدك الإلكتروني لدى { $tenant }
mail-verify-text = أكّد أن هذا عنوانك لإكمال إنشاء حسابك لدى { $tenant }.
mail-verify-button = تأكيد البريد الإلكتروني
mail-verify-ignore = إذا لم تنشئ حسابًا، فيمكنك تجاهل هذه الرسالة.
mail-prove-subject = أكّد عنوان بريدك الإلكتروني لدى { $tenant }
mail-prove-text = يريد شخص ما، نأمل أنه أنت، تسجيل الدخول لدى { $tenant } بالحساب صاحب هذا العنوان. أكّد أن العنوان لك للمتابعة.
mail-prove-button = تأكيد البريد الإلكتروني
mail-prove-ignore = إذا لم يكن هذا أنت، فتجاهل هذه الرسالة. سيبقى العنوان غير مؤكَّد.
mail-reset-subject = إعادة تعيين كلمة مرورك لدى { $tenant }
mail-reset-text = طلب شخص ما، نأمل أنه أنت، لدى { $tenant } كلمة مرور جديدة للحساب صاحب هذا العنوان. اخترها هنا.
mail-reset-button = اختيار كلمة مرور جديدة
mail-reset-ignore = إذا لم يكن هذا أنت، فتجاهل هذه الرسالة. ستبقى كلمة مرورك كما هي.
mail-recovery-subject = اختر كلمة مرور جديدة لدى { $tenant }
mail-recovery-text = يرسل إليك أحد مسؤولي { $tenant } هذا الرابط لاختيار كلمة مرور جديدة للحساب صاحب هذا العنوان.
mail-recovery-button = اختيار كلمة مرور جديدة
mail-recovery-ignore = إذا لم تكن بحاجة إلى كلمة مرور جديدة، فتجاهل هذه الرسالة. ستبقى كلمة مرورك كما هي.
mail-invitation-subject = دعوة من { $tenant }
mail-invitation-text = أنت مدعو لتصبح عضوًا في { $tenant }، بالحساب صاحب هذا العنوان.
mail-invitation-button = قبول الدعوة
mail-invitation-ignore = إذا لم ترغب في ذلك، فتجاهل هذه الرسالة. لن يحدث شيء.
mail-organization-invitation-subject = دعوة من { $organization } لدى { $tenant }
mail-organization-invitation-text = أنت مدعو إلى { $organization } لدى { $tenant }، بالحساب صاحب هذا العنوان.
mail-organization-invitation-button = عرض الدعوة
mail-organization-invitation-ignore = إذا لم ترغب في ذلك، فتجاهل هذه الرسالة. لن يحدث شيء.
mail-exists-subject = سجّل الدخول بحسابك لدى { $tenant }
mail-exists-text = حاول شخص ما، نأمل أنه أنت، إنشاء حساب لدى { $tenant } بهذا العنوان. يوجد حساب بهذا العنوان بالفعل: يسجّل هذا الرابط دخولك به، ويجعلك عضوًا في { $tenant } إن لم تكن عضوًا بعد.
mail-exists-button = تسجيل الدخول
mail-exists-ignore = إذا لم يكن هذا أنت، فتجاهل هذه الرسالة. لم يتغيّر شيء.
mail-locked-subject = كلمات مرور خاطئة كثيرة لحسابك لدى { $tenant }
mail-locked-text = جرّب شخص ما لدى { $tenant } كلمات مرور خاطئة كثيرة للحساب صاحب هذا العنوان. يتوقف تسجيل الدخول لمدة { $duration } في المتصفحات التي لم تستخدمها من قبل. حيث سبق أن سجّلت الدخول لا يزال بإمكانك ذلك، واختيار كلمة مرور جديدة ينهي هذا التوقف.
mail-locked-button = اختيار كلمة مرور جديدة
mail-locked-ignore = إذا كانت كلمة مرورك قوية ولا تستخدمها في أي مكان آخر، فلا داعي لفعل شيء. تُرسل هذه الرسالة مرة واحدة فقط.
mail-new-device-subject = تسجيل دخول جديد إلى حسابك لدى { $tenant }
mail-new-device-text = سُجّل الدخول للتو إلى حسابك لدى { $tenant } بمتصفح لم تستخدمه من قبل، أو بطريقة غير معتادة. هل كان هذا أنت؟ انظر متى ومن أين كان ذلك، وأخبرنا إذا لم يكن أنت.
mail-new-device-button = عرض التفاصيل
mail-new-device-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-sign-in-refused-subject = رفضنا تسجيل دخول إلى حسابك لدى { $tenant }
mail-sign-in-refused-text = حاول شخص ما للتو تسجيل الدخول إلى حسابك لدى { $tenant } وكان لديه ما يلزم لذلك، مثل كلمة مرورك. لم نسمح له بالدخول لأن المحاولة كانت غير معتادة إلى حد كبير. هل كان هذا أنت؟ انظر متى ومن أين كان ذلك، وأخبرنا إذا لم يكن أنت.
mail-sign-in-refused-button = عرض التفاصيل
mail-sign-in-refused-ignore = إذا كان هذا أنت، فسجّل الدخول بمتصفح استخدمته من قبل أو بمفتاح مرور.
mail-signin-link-subject = رابط تسجيل دخولك إلى { $tenant }
mail-signin-link-text = هذا رابط تسجيل الدخول إلى { $tenant }. افتحه في المتصفح الذي طلبته فيه.
mail-signin-link-button = تسجيل الدخول
mail-signin-link-ignore = إذا لم تطلب رابطًا، فتجاهل هذه الرسالة. لا يسجّل الرابط الدخول في أي متصفح غير الذي طلبه.
text-sign-in = { $code } هو رمز تسجيل دخولك إلى { $tenant }. يعمل لمدة { $duration }. لا تعطه لأحد.
text-new-password = { $code } هو رمز اختيار كلمة مرور جديدة لدى { $tenant }. يعمل لمدة { $duration }. لا تعطه لأحد.
text-new-number = { $code } يؤكّد رقم هاتفك لدى { $tenant }. يعمل لمدة { $duration }. لا تعطه لأحد.
mail-code-subject = رمز تسجيل دخولك إلى { $tenant }
mail-code-text = هذا رمز تسجيل الدخول إلى { $tenant }. اكتبه في الصفحة التي طلبته ولا تعطه لأحد. يعمل مرة واحدة، لمدة { $duration }.
mail-code-button = رمزك
mail-code-ignore = إذا لم تطلب رمزًا، فتجاهل هذه الرسالة. لا يمكن لأحد الدخول من دون الرمز.
mail-credential-added-subject = { $kind ->
    [app] أُضيف تطبيق مصادقة إلى حسابك لدى { $tenant }
    [backup-codes] رموز احتياطية جديدة لحسابك لدى { $tenant }
    [passkey] أُضيف مفتاح مرور إلى حسابك لدى { $tenant }
    [security-key] أُضيف مفتاح أمان إلى حسابك لدى { $tenant }
    [phone] أُضيف رقم هاتف إلى حسابك لدى { $tenant }
    [identity] رُبط حساب آخر بحسابك لدى { $tenant }
    [wallet] أُضيفت محفظة إلى حسابك لدى { $tenant }
   *[other] أُضيفت طريقة لتسجيل الدخول إلى حسابك لدى { $tenant }
}
mail-credential-added-text = { $kind ->
    [app] أُضيف تطبيق مصادقة إلى حسابك لدى { $tenant }. تُعدّ رموزه إثباتًا على أنك أنت.
    [backup-codes] أُنشئت رموز احتياطية جديدة لحسابك لدى { $tenant }. لم تعد الرموز السابقة تعمل.
    [passkey] أُضيف مفتاح مرور إلى حسابك لدى { $tenant }.
    [security-key] أُضيف مفتاح أمان إلى حسابك لدى { $tenant }.
    [phone] أُضيف رقم هاتف إلى حسابك لدى { $tenant }. تُعدّ الرموز المرسلة إليه إثباتًا على أنك أنت.
    [identity] رُبط حساب موجود في مكان آخر بحسابك لدى { $tenant }. يمكن من الآن فتح حسابك به.
    [wallet] أُضيفت محفظة إلى حسابك لدى { $tenant }. يمكن من الآن فتح حسابك بها.
   *[other] أُضيفت إلى حسابك لدى { $tenant } طريقة لإثبات هويتك.
}
mail-credential-added-button = لم يكن هذا أنا
mail-credential-added-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-credential-removed-subject = { $kind ->
    [app] أُزيل تطبيق مصادقة من حسابك لدى { $tenant }
    [backup-codes] أُزيلت رموز احتياطية من حسابك لدى { $tenant }
    [passkey] أُزيل مفتاح مرور من حسابك لدى { $tenant }
    [security-key] أُزيل مفتاح أمان من حسابك لدى { $tenant }
    [phone] أُزيل رقم هاتفك من حسابك لدى { $tenant }
    [identity] أُزيل حساب مرتبط من حسابك لدى { $tenant }
    [wallet] أُزيلت محفظة من حسابك لدى { $tenant }
   *[other] أُزيلت طريقة لتسجيل الدخول من حسابك لدى { $tenant }
}
mail-credential-removed-text = { $kind ->
    [app] أُزيل تطبيق مصادقة من حسابك لدى { $tenant }.
    [backup-codes] أُزيلت رموز احتياطية من حسابك لدى { $tenant }.
    [passkey] أُزيل مفتاح مرور من حسابك لدى { $tenant }.
    [security-key] أُزيل مفتاح أمان من حسابك لدى { $tenant }.
    [phone] أُزيل رقم هاتفك من حسابك لدى { $tenant }.
    [identity] أُزيل حساب مرتبط من حسابك لدى { $tenant }. لم يعد يمكن فتح حسابك به.
    [wallet] أُزيلت محفظة من حسابك لدى { $tenant }. لم يعد يمكن فتح حسابك بها.
   *[other] أُزيلت من حسابك لدى { $tenant } طريقة لإثبات هويتك.
}
mail-credential-removed-button = لم يكن هذا أنا
mail-credential-removed-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-handed-over-subject = سُلِّم إليك حسابك لدى { $tenant }
mail-handed-over-text = لقد أكّدت أن هذا العنوان لك. ما أُضيف إلى الحساب قبل ذلك لم يعد يفتحه: كلمة مرور أو مفاتيح مرور أو تطبيقات أو أرقام هواتف أو حسابات مرتبطة. تم تسجيل الخروج من كل الجلسات.
mail-handed-over-button = لم يكن هذا أنا
mail-handed-over-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء. يمكنك أن تضيف من جديد في حسابك ما كان لك.
mail-deletion-subject = سيُحذف حسابك لدى { $tenant }
mail-deletion-text = طلبت حذف حسابك لدى { $tenant }. يمكنك خلال { $duration } الاحتفاظ به: افتح الرابط وسجّل الدخول واختر «الاحتفاظ بحسابي». لا يكفي تسجيل الدخول وحده. بعد ذلك يُحذف.
mail-deletion-button = الاحتفاظ بحسابي
mail-deletion-ignore = إذا كنت تريد حذفه، فلا داعي لفعل شيء. إذا لم تطلب هذا، فاحتفظ به وغيّر كلمة مرورك.
mail-new-address-subject = أكّد عنوان بريدك الإلكتروني الجديد لدى { $tenant }
mail-new-address-text = تريد استخدام هذا العنوان لحسابك لدى { $tenant }. أكّده بهذا الرابط وأنت مسجّل الدخول بنفسك.
mail-new-address-button = تأكيد العنوان
mail-new-address-ignore = إذا لم يكن هذا أنت، فتجاهل هذه الرسالة. لن يتغيّر شيء.
mail-address-taken-subject = لهذا العنوان حساب بالفعل لدى { $tenant }
mail-address-taken-text = أراد شخص ما، نأمل أنه أنت، استخدام هذا العنوان لحساب آخر لدى { $tenant }. العنوان تابع لحساب بالفعل، ولذلك لم يتغيّر شيء. لاستخدامه في حساب آخر، عيّن أولًا عنوانًا آخر للحساب الحالي.
mail-address-taken-button = إلى { $tenant }
mail-address-taken-ignore = إذا لم يكن هذا أنت، فتجاهل هذه الرسالة. لن يتغيّر شيء.
mail-address-changed-subject = أصبح لحسابك لدى { $tenant } عنوان بريد إلكتروني آخر
mail-address-changed-text = أصبح للحساب الذي كان له هذا العنوان لدى { $tenant } عنوان آخر. لم يعد هذا العنوان يفتحه.
mail-address-changed-button = إلى { $tenant }
mail-address-changed-ignore = إذا لم يكن هذا أنت، فأخبر القائمين على هذه الخدمة فورًا.
mail-address-undo-subject = أصبح لحسابك لدى { $tenant } عنوان بريد إلكتروني آخر
mail-address-undo-text = أصبح للحساب الذي كان له هذا العنوان لدى { $tenant } عنوان آخر. لم يعد هذا العنوان يفتحه. إذا لم يكن هذا أنت، فتراجع عن التغيير: يعود هذا العنوان إلى حسابك، وينتهي كل ما هو جارٍ فيه. وإذا كانت له كلمة مرور، فتختار كلمة جديدة.
mail-address-undo-button = عرض التفاصيل
mail-address-undo-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-changed-subject = تم تغيير كلمة مرورك لدى { $tenant }
mail-changed-text = تم للتو لدى { $tenant } تغيير كلمة مرور الحساب صاحب هذا العنوان. إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-changed-button = لم يكن هذا أنا
mail-changed-ignore = إذا لم يكن هذا أنت، فاختر كلمة مرور جديدة فورًا وأخبر القائمين على هذه الخدمة.
mail-changed-first-subject = أصبحت لحسابك لدى { $tenant } كلمة مرور
mail-changed-first-text = لم تكن للحساب صاحب هذا العنوان كلمة مرور؛ وقد تم للتو تعيين كلمة مرور له لدى { $tenant }. إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-changed-first-button = لم يكن هذا أنا
mail-changed-first-ignore = إذا لم يكن هذا أنت، فاختر كلمة مرور جديدة فورًا وأخبر القائمين على هذه الخدمة.
problem-again-title = ابدأ من جديد
problem-again-text = لا يمكن متابعة هذه الصفحة: إما أنها ظلت مفتوحة وقتًا طويلًا، أو فُتحت في متصفح آخر، أو فُتحت بعنوانها وحده. ابدأ من جديد من التطبيق.
problem-back = العودة إلى { $app }
mismatch-sent = المُرسَل
mismatch-registered = المسجَّل
signout-unregistered = طلب التطبيق العودة إلى عنوان لم يسجّله، ولذلك لا يمكن العودة إليه من هنا.
start-account = سجّلت الدخول باسم { $account }.
start-approvals = طلبات من أجهزة أخرى
start-text = هنا يمكنك تسجيل الدخول. افتح التطبيق الذي تريد استخدامه، وسينقلك إلى هنا.

## اللغات والوصول والتطبيقات التي لم يُتحقق منها
language-name = العربية
language = اللغة
sent-resend = إعادة إرسال الرسالة
register-again = استخدام عنوان آخر
forgot-again = تجربة اسم آخر
signin-for-device = لتوصيل جهاز
signin-for-approvals = للرد على طلبات من أجهزة أخرى
signin-for-access = للاطلاع على ما يُسمح به للتطبيقات
signin-for-account = لإدارة حسابك
signin-for-invitation = لقبول دعوة
select-signed-out = تم تسجيل الخروج
consent-identity = معلومات عنك
consent-api = في { $api }
consent-write = يمكنه إجراء تغييرات
consent-foreign = لا يشغّل { $tenant } التطبيق { $app }.
consent-unverified = سجّل التطبيق { $app } نفسه بنفسه. لم يتحقق أحد لدى { $tenant } من اسمه أو مما يقوله عن نفسه، وهو ليس من تشغيل { $tenant }.
consent-destination = إذا سمحت بذلك، فستنتقل إلى
consent-take-back = يمكنك التراجع عن هذا في أي وقت:
consent-organization = يسري هذا الوصول على مؤسستك:
access-title = التطبيقات التي لها حق الوصول
access-none = لم تسمح لأي تطبيق باستخدام حسابك.
access-remove = إزالة وصول { $app }
access-note = التطبيق الذي تزيل وصوله يفقده فورًا، وعليه أن يطلبه منك من جديد.
leaving-title = رُفض هذا الطلب
leaving-text = أرسل { $app } طلبًا لا يمكن تلبيته.
leaving-warning = يؤدي الرابط أدناه إلى موقع لم يتحقق منه أحد لدى { $tenant }. لا تتبعه إلا إذا كنت تعرفه، ولا تُدخل كلمة مرورك هناك.
leaving-go = الانتقال إلى { $destination }

# Sign-in with Ethereum.
error-siwe-address = هذا ليس عنوان Ethereum. تحقّق من أخطاء الكتابة: الأحرف الكبيرة مهمة.
error-siwe-chain = اختر إحدى السلاسل المعروضة هنا.
error-siwe-failed = التوقيع ليس لهذا الحساب على هذه الرسالة. وقّع هذه الرسالة كما هي تمامًا.
error-siwe-late = هذه الرسالة قديمة جدًا أو استُخدمت من قبل. ابدأ من جديد.
error-siwe-not-enough = المطلوب هنا أكثر من توقيع. سجّل الدخول بطريقة أخرى.
error-siwe-unavailable = لا يمكن التحقق من التوقيع الآن. حاول مجددًا بعد بضع دقائق أو سجّل الدخول بطريقة أخرى.
login-by-wallet = بمحفظة
notice-siwe-not-linked = لا يوجد هنا حساب مرتبط بهذا العنوان بعد. سجّل الدخول كالمعتاد؛ وبعد ذلك يُفتح حسابك به أيضًا.
siwe-address = عنوان حسابك
siwe-address-hint = 0x و40 رقمًا.
siwe-cancelled = لم تُجب المحفظة. حاول مجددًا، أو وقّع الرسالة في مكان آخر والصق التوقيع.
siwe-chain = السلسلة
siwe-link = تسجيل الدخول باستخدام Ethereum
siwe-message = الرسالة
siwe-missing = لا توجد في هذا المتصفح محفظة لهذا الحساب. اختر الحساب في المحفظة أو الصق التوقيع.
siwe-next = عرض الرسالة المطلوب توقيعها
siwe-other = استخدام عنوان آخر
siwe-sign = التوقيع بالمحفظة
siwe-signature = التوقيع
siwe-submit = إرسال التوقيع
siwe-text = وقّع هذه الرسالة بمحفظتك. لا يكلّف ذلك شيئًا ولا يرسل أي معاملة.
siwe-wallet = استخدام محفظة هذا المتصفح
siwe-needs = تحتاج إلى محفظة فيها حساب Ethereum. إن لم تكن في هذا المتصفح محفظة، فأدخل عنوان الحساب ووقّع الرسالة في محفظتك ثم الصق التوقيع.

## Guests
anonymous-submit = المتابعة كضيف
guest-name = ضيف
notice-here-as-guest = أنت هنا كضيف. أنشئ حسابًا لتحتفظ بما لديك هنا؛ وإذا سجّلت الدخول إلى حساب آخر فلن ينتقل معك.
account-keep = الاحتفاظ بحسابك
keep-text = أنت هنا كضيف: لا يفتح حسابك إلا هذا المتصفح، ويُحذف عندما تتوقف عن استخدامه. أدخل عنوان بريد إلكتروني للاحتفاظ به. يتيح لك رابط في الرسالة اختيار طريقة تسجيل الدخول؛ افتحه في هذا المتصفح.
done-guest-elsewhere-title = افتح الرابط في المتصفح الذي استخدمته
done-guest-elsewhere-text = يحفظ هذا الرابط حساب ضيف موجودًا في المتصفح الذي طلبته فيه. افتحه هناك. إن لم تطلب رابطًا فتجاهل الرسالة.
done-guest-deleted-title = حُذف حسابك
done-guest-deleted-text = سُجّل خروجك، وسيُحذف ما كان محفوظًا عنك خلال دقائق.

## الأشخاص الموثوقون والاسترداد بمساعدتهم
account-guardians = الأشخاص الموثوقون
account-guarding = من يثقون بك
guardians-text = الأشخاص الموثوقون هم أشخاص تثق بهم ولديهم حسابات هنا. عندما لا تستطيع تسجيل الدخول، يؤكّدون معًا أنك صاحب الحساب. لا يستطيع أحدهم وحده فعل شيء، ولا يرى أي منهم حسابك.
guardians-are-ready = { $count ->
    [zero] لا يُحتسب أي شخص موثوق، والعدد المطلوب { $threshold }.
    [one] يُحتسب شخص موثوق واحد، والعدد المطلوب { $threshold }. يمكن لأشخاصك الموثوقين مساعدتك.
    [two] يُحتسب شخصان موثوقان، والعدد المطلوب { $threshold }. يمكن لأشخاصك الموثوقين مساعدتك.
    [few] يُحتسب { $count } أشخاص موثوقين، والعدد المطلوب { $threshold }. يمكن لأشخاصك الموثوقين مساعدتك.
    [many] يُحتسب { $count } شخصًا موثوقًا، والعدد المطلوب { $threshold }. يمكن لأشخاصك الموثوقين مساعدتك.
   *[other] يُحتسب { $count } شخص موثوق، والعدد المطلوب { $threshold }. يمكن لأشخاصك الموثوقين مساعدتك.
}
guardians-are-not-ready = { $count ->
    [zero] لا يُحتسب أي شخص موثوق بعد. ادعُ بعض الأشخاص واحفظ أدناه العدد المطلوب؛ حتى ذلك الحين لا يمكنهم مساعدتك.
    [one] يُحتسب شخص موثوق واحد. احفظ أدناه العدد المطلوب بعد أن يقبل عدد كافٍ؛ حتى ذلك الحين لا يمكنهم مساعدتك.
    [two] يُحتسب شخصان موثوقان. احفظ أدناه العدد المطلوب؛ حتى ذلك الحين لا يمكنهما مساعدتك.
    [few] يُحتسب { $count } أشخاص موثوقين. احفظ أدناه العدد المطلوب؛ حتى ذلك الحين لا يمكنهم مساعدتك.
    [many] يُحتسب { $count } شخصًا موثوقًا. احفظ أدناه العدد المطلوب؛ حتى ذلك الحين لا يمكنهم مساعدتك.
   *[other] يُحتسب { $count } شخص موثوق. احفظ أدناه العدد المطلوب؛ حتى ذلك الحين لا يمكنهم مساعدتك.
}
guardian-active = شخص موثوق
guardian-inactive = لا يستطيع تسجيل الدخول حاليًا
guardian-invited = مدعوّ
guardian-since = شخص موثوق منذ { $day }
guardian-invited-on = دُعي في { $day }
guardian-remove = إزالة { $email }
guardian-email = البريد الإلكتروني لشخص تثق به
guardian-invite = دعوة
guardian-rules = شروط الاسترداد
guardian-threshold = عدد الأشخاص الموثوقين الذين يجب أن يؤكّدوا
guardian-wait = ساعات الانتظار بعد ذلك
guardian-wait-hint = عدد الساعات من { $least } إلى { $most }. خلال هذه المدة نُعلمك بكل الطرق، ويمكنك الإلغاء.
guardian-rules-submit = حفظ
guardians-asked = يطلب شخص ما من أشخاصك الموثوقين استرداد حسابك.
guardians-asked-text = إذا لم يكن هذا أنت، فألغِ الطلب الآن. يمكن لمن يؤكّده عدد كافٍ من الأشخاص الموثوقين اختيار كلمة مرور جديدة.
guardians-too-few = عدد الأشخاص الموثوقين المحتسبين أقل من المطلوب: لا يمكنهم استرداد حسابك.
guardians-look = عرض التفاصيل
guardians-confirmed = التأكيدات: { $count } من { $most }
guardians-ready-at = يمكن اختيار كلمة مرور جديدة ابتداءً من
guarding-text = يثق بك هؤلاء الأشخاص لتؤكّد هويتهم عندما لا يستطيعون تسجيل الدخول.
guarding-none = لست شخصًا موثوقًا لدى أحد.
guarding-wait = هناك من ينتظر ردّك:
guarding-invited = يطلب منك { $name } أن تكون شخصًا موثوقًا لديه، أي أن تؤكّد هويته عندما لا يستطيع تسجيل الدخول. لن ترى شيئًا من حسابه.
guarding-accept = قبول
guarding-decline = رفض
guarding-leave = التوقف عن كوني شخصًا موثوقًا لدى { $name }
guarding-asked = يقول شخص ما إنه { $name } ويطلب مساعدتك منذ
guarding-call = اتصل أولًا بـ { $name } على رقم تعرفه، واطلب منه أن يقرأ لك الرمز. لا تأخذ الرمز أبدًا من رسالة ولا من شخص لا تعرف صوته.
guarding-answered = لقد أجبت. إذا أجبت مرة أخرى، فالإجابة الأخيرة هي التي تُحتسب.
guarding-code = الرمز الذي يقرؤه لك { $name }
guarding-confirm = تأكيد أنه هو
guarding-refuse = ليس هو
forgot-guardians = لا أستطيع قراءة بريدي: اطلب من الأشخاص الموثوقين
recovery-ask-title = اطلب من أشخاصك الموثوقين
recovery-ask-text = أدخل اسم المستخدم أو بريدك الإلكتروني. إذا كان للحساب أشخاص موثوقون، فسنطلب منهم تأكيد أنك صاحب الحساب.
recovery-ask-submit = إرسال الطلب
recovery-title = الاسترداد بمساعدة أشخاصك الموثوقين
recovery-text = إذا كان للحساب { $account } أشخاص موثوقون، فقد أُرسل الطلب إليهم. اتصل بهم واقرأ هذا الرمز لكل واحد منهم:
recovery-code-text = من يكتب هذا الرمز من أشخاصك الموثوقين يؤكّد هذا المتصفح دون غيره. ابقَ في هذا المتصفح: هنا فقط يمكنك اختيار كلمة مرور جديدة.
recovery-confirmed = { $count ->
    [zero] لم يؤكّد أي شخص موثوق بعد.
    [one] أكّد شخص موثوق واحد.
    [two] أكّد شخصان موثوقان.
    [few] أكّد { $count } أشخاص موثوقين.
    [many] أكّد { $count } شخصًا موثوقًا.
   *[other] أكّد { $count } شخص موثوق.
}
recovery-reached = أكّد عدد كافٍ من الأشخاص الموثوقين. يمكنك اختيار كلمة مرور جديدة هنا ابتداءً من
recovery-come-back = عُد إلى هذه الصفحة في هذا المتصفح لمعرفة ما وصل إليه الطلب.
recovery-ready = أكّد أشخاصك الموثوقون طلبك. اختر كلمة مرور جديدة.
recovery-ready-hint = يُسجَّل خروجك من كل مكان، وتُزال مفاتيح المرور والتطبيقات وأرقام الهاتف والرموز الاحتياطية والحسابات المرتبطة والمتصفحات الموثوقة. أعِدّ ما تحتاج إليه بعد ذلك.
recovery-submit = تعيين كلمة المرور
recovery-over = مرّ وقت طويل جدًا أو أُلغي الطلب. يمكنك الطلب مرة أخرى.
recovery-again = البدء من جديد
recovery-cancel-title = هل تريد إلغاء الاسترداد؟
recovery-cancel-text = يطلب شخص ما من أشخاصك الموثوقين استرداد حسابك. إذا لم يكن هذا أنت، فألغِ الطلب.
recovery-cancel-submit = إلغاء الاسترداد
recovery-cancel-hint = سيبقى حسابك كما هو. إذا كنت أنت من طلب ذلك، فأغلق هذه الصفحة.
notice-guardian-invited = أرسلنا دعوة بالبريد الإلكتروني.
notice-guardian-removed = أُزيل الشخص الموثوق.
notice-guardian-rules-saved = حُفظت شروط الاسترداد.
notice-guardian-accepted = أصبحت الآن شخصًا موثوقًا.
notice-guardian-left = لست شخصًا موثوقًا هناك.
notice-recovery-confirmed = احتُسب تأكيدك.
notice-recovery-refused = سجّلنا أنه ليس هو.
notice-recovery-cancelled = أُلغي الاسترداد.
error-guardian-self = أدخل عنوان شخص آخر.
error-guardian-known = سبقت دعوة هذا العنوان.
error-guardians-full = بلغ عدد أشخاصك الموثوقين الحد الأقصى: { $count }. أزِل أحدهم أولًا.
error-apps-full = بلغ عدد تطبيقاتك الحد الأقصى: { $count }. أزِل أحدها أولًا.
error-threshold = اختر عددًا لا يقل عن { $count } ولا يزيد على عدد الأشخاص الموثوقين المحتسبين.
error-wait = اختر عدد ساعات لا يقل عن { $count } ولا يزيد على 720.
error-recovery-code-wrong = هذا الرمز غير صحيح. اطلب من الشخص أن يقرأه مرة أخرى.
error-recovery-over = انتهى هذا الاسترداد، أو بدأ قبل أن تصبح شخصًا موثوقًا.
done-recovery-cancelled-title = أُلغي الاسترداد
done-recovery-cancelled-text = سيبقى حسابك كما هو. إذا كان من المحتمل أن يعرف أحد كلمة مرورك، فغيّرها.
done-recovered-title = استرددت حسابك
done-recovered-text = سجّل الدخول بكلمة المرور الجديدة، وأعِدّ مفاتيح المرور والتحقق بخطوتين من جديد.
text-recovery = يجري استرداد حسابك لدى { $tenant } بمساعدة أشخاصك الموثوقين. إذا لم يكن هذا أنت، فألغِه من رسالتنا الإلكترونية أو سجّل الدخول.
mail-guardian-invitation-subject = يطلب منك { $person } أن تكون شخصًا موثوقًا لدى { $tenant }
mail-guardian-invitation-text = يثق بك { $person } ويطلب منك أن تكون شخصًا موثوقًا لدى { $tenant }، أي أن تؤكّد هويته عندما لا يستطيع تسجيل الدخول. سجّل الدخول بالحساب صاحب هذا العنوان، أو أنشئ حسابًا، ثم أجب خلال { $duration }.
mail-guardian-invitation-button = الرد
mail-guardian-invitation-ignore = إذا كنت لا تعرف { $person }، فتجاهل هذه الرسالة.
mail-guardian-accepted-subject = أصبح { $person } شخصًا موثوقًا لحسابك لدى { $tenant }
mail-guardian-accepted-text = قبل { $person } أن يكون شخصًا موثوقًا لحسابك لدى { $tenant }.
mail-guardian-accepted-button = عرض أشخاصك الموثوقين
mail-guardian-accepted-ignore = إذا لم تدعُ أحدًا، فأزِل هذا الشخص وغيّر كلمة مرورك.
mail-guardian-left-subject = ليس { $person } شخصًا موثوقًا لحسابك لدى { $tenant }
mail-guardian-left-text = رفض { $person } أن يكون شخصًا موثوقًا لحسابك لدى { $tenant }، أو لم يعد كذلك. تحقّق من بقاء عدد كافٍ.
mail-guardian-left-button = عرض أشخاصك الموثوقين
mail-guardian-left-ignore = فيما عدا ذلك، لا داعي لفعل شيء.
mail-guardian-rules-subject = تغيّرت شروط استرداد حسابك لدى { $tenant }
mail-guardian-rules-text = تم تغيير عدد الأشخاص الموثوقين الذين يجب أن يؤكّدوا، أو مدة انتظار حسابك لدى { $tenant } بعد ذلك.
mail-guardian-rules-button = عرض أشخاصك الموثوقين
mail-guardian-rules-ignore = إذا لم يكن هذا أنت، فتراجع عن التغيير واختر كلمة مرور جديدة.
mail-recovery-asked-subject = قد يحتاج { $person } إلى مساعدتك لدى { $tenant }
mail-recovery-asked-text = يقول شخص ما إنه { $person } وإنه لم يعد يستطيع تسجيل الدخول إلى { $tenant }. اتصل أولًا بـ { $person } على رقم تعرفه، واطلب منه أن يقرأ لك الرمز. لا تأخذه أبدًا من رسالة. ثم سجّل الدخول واكتبه.
mail-recovery-asked-button = الرد
mail-recovery-asked-ignore = إذا تعذّر عليك الوصول إلى { $person }، فلا تفعل شيئًا: صمتك لا يغيّر شيئًا.
mail-recovery-opened-subject = يطلب شخص ما من أشخاصك الموثوقين استرداد حسابك لدى { $tenant }
mail-recovery-opened-text = طلب شخص ما، نأمل أنه أنت، من أشخاصك الموثوقين استرداد حسابك لدى { $tenant }. بعد أن يؤكّد عدد كافٍ منهم وتنتهي مدة الانتظار، يمكن لهذا الشخص اختيار كلمة مرور جديدة. إذا لم يكن هذا أنت، فألغِ الطلب هنا.
mail-recovery-opened-button = إلغاء الاسترداد
mail-recovery-opened-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء هنا: اقرأ الرمز لأشخاصك الموثوقين.
mail-recovery-confirmed-subject = أكّد شخص موثوق استرداد حسابك لدى { $tenant }
mail-recovery-confirmed-text = أكّد { $person } أنك أنت من يطلب استرداد حسابك لدى { $tenant }. إذا لم يكن هذا أنت، فألغِ الطلب هنا.
mail-recovery-confirmed-button = إلغاء الاسترداد
mail-recovery-confirmed-ignore = إذا كان هذا أنت، فلا داعي لفعل شيء.
mail-recovery-refused-subject = رفض شخص موثوق استرداد حسابك لدى { $tenant }
mail-recovery-refused-text = يقول { $person } إنك لست من يطلب استرداد حسابك لدى { $tenant }. إذا لم يكن هذا أنت، فألغِ الطلب هنا.
mail-recovery-refused-button = إلغاء الاسترداد
mail-recovery-refused-ignore = إذا كان هذا أنت، فاتصل بـ { $person }.
mail-recovery-reached-subject = سيُسترد حسابك لدى { $tenant }
mail-recovery-reached-text = أكّد عدد كافٍ من الأشخاص الموثوقين. بعد { $duration } يمكن للمتصفح الذي قُدّم منه الطلب اختيار كلمة مرور جديدة لحسابك لدى { $tenant }. إذا لم يكن هذا أنت، فألغِ الطلب قبل ذلك.
mail-recovery-reached-button = إلغاء الاسترداد
mail-recovery-reached-ignore = إذا كان هذا أنت، فعُد إلى الصفحة في المتصفح الذي قدّمت منه الطلب.
mail-recovered-subject = تم استرداد حسابك لدى { $tenant }
mail-recovered-text = أكّد أشخاصك الموثوقون طلبك، وأصبحت لحسابك لدى { $tenant } كلمة مرور جديدة. سُجّل خروجك من كل مكان، وأُزيل كل ما كان يفتح الحساب سوى ذلك.
mail-recovered-button = تسجيل الدخول
mail-recovered-ignore = إذا لم يكن هذا أنت، فاطلب كلمة مرور جديدة فورًا وأخبر { $tenant }.

# Support staff who act for people
acting-label = وصول فريق الدعم
acting-text = أنت تعمل في حساب { $account }.
acting-end = إنهاء
acting-account = إلى الحساب
account-support = وصول فريق الدعم
support-about = عندما تحتاج إلى مساعدة، يمكن لأحد أفراد الدعم العمل في حسابك لمدة محدودة. يرى ما تراه، ولا يمكنه تغيير طريقة تسجيل دخولك. يمكنك إنهاء ذلك هنا في أي وقت.
support-none = لم يعمل أحد من الدعم في حسابك.
support-to-approvals = الرد على طلب الدعم
support-reason = السبب:
support-asks = يطلب { $person } من الدعم العمل في حسابك
support-what = يرى الدعم ما تراه في التطبيقات. لا يمكنه تغيير كلمة المرور أو العنوان أو طريقة تسجيل الدخول، ولا يسمح بشيء باسمك. يمكنك إنهاء ذلك في أي وقت.
support-end = إنهاء الوصول
support-waiting = في انتظارك
support-ready = تمت الموافقة ولم يبدأ
support-active = يعمل الآن
support-refused = مرفوض
support-expired = لم يُستخدم في الوقت المحدد
support-ended = انتهى
notice-support-ended = لم يعد بإمكان الدعم العمل في حسابك.
login-impersonated = بدأ الدعم العمل نيابة عنك
impersonate-title = العمل نيابة عن شخص
impersonate-text = أنت على وشك العمل في حساب { $account }.
impersonate-hint = كل ما تفعله يُسجَّل باسمك ({ $account }). يبقى تسجيل دخولك أنت، ويعود عند الإنهاء.
impersonate-submit = بدء
done-impersonation-link-title = لا يعمل هذا الرابط هنا
done-impersonation-link-text = يعمل مرة واحدة، لمدة خمس دقائق، وفقط في المتصفح الذي سجّل فيه الدخول من طلبه. اطلب رابطًا آخر.
mail-impersonation-asked-subject = { $tenant }: يطلب الدعم العمل في حسابك
mail-impersonation-asked-text = يطلب { $person } من الدعم لدى { $tenant } العمل في حسابك لمدة محدودة. سجّل الدخول لترى السبب، ثم وافق أو ارفض.
mail-impersonation-asked-button = عرض الطلب
mail-impersonation-asked-ignore = إذا لم تفعل شيئًا، فلن يحصل أحد على الوصول.
mail-impersonation-started-subject = { $tenant }: يعمل الدعم في حسابك
mail-impersonation-started-text = بدأ { $person } من الدعم لدى { $tenant } العمل في حسابك لمدة محدودة. يمكنك رؤية السبب وإنهاء ذلك في حسابك.
mail-impersonation-started-button = عرض أو إنهاء
mail-impersonation-started-ignore = إذا لم تكن بحاجة إلى الدعم، فأنهِ ذلك وأخبرنا.
mail-impersonation-ended-subject = { $tenant }: عمل الدعم في حسابك
mail-impersonation-ended-text = عمل { $person } من الدعم لدى { $tenant } في حسابك. انتهى ذلك. يمكنك رؤية السبب في حسابك.
mail-impersonation-ended-button = عرض
mail-impersonation-ended-ignore = إذا لم تكن بحاجة إلى الدعم، فأخبرنا.
support-minutes = لمدة { $duration }.

## Recovery by a proven factor

signin-for-recovery = أثبت أولًا أنك صاحب الحساب، ثم اختر كلمة المرور الجديدة.
recover-others = أو أثبت بطريقة أخرى أنك صاحب الحساب
recover-sms = استخدام رمز برسالة نصية
recover-passkey = استخدام مفتاح مرور
recover-start-again = العودة إلى كل الطرق
error-phone-alone-not-enough = لا يكفي رمز مرسل برسالة نصية وحده لهذا الحساب الذي يتطلب التحقق بخطوتين. استخدم طريقة أخرى.
text-password-changed = تم تغيير كلمة مرور حسابك لدى { $tenant }. إذا لم يكن هذا أنت، فاختر كلمة مرور جديدة فورًا من رابط نسيان كلمة المرور في صفحة تسجيل الدخول.

## Registration by a mailed code

register-by-code = استخدام رمز بالبريد الإلكتروني من دون كلمة مرور
register-code-sent = هناك رسالة في طريقها إلى { $email }. اكتب هنا الرمز الوارد فيها. إذا كان لديك حساب بالفعل، فاتبع الرسالة.
register-name-text = تم تأكيد أن { $email } عنوانك. ما اسمك؟
mail-registration-code-subject = رمزك لإنشاء حساب لدى { $tenant }
mail-registration-code-text = هذا رمز إنشاء حسابك لدى { $tenant }. اكتبه في الصفحة التي طلبته ولا تعطه لأحد. يعمل مرة واحدة، لمدة { $duration }.
mail-registration-code-button = رمزك
mail-registration-code-ignore = إذا لم تطلب رمزًا، فتجاهل هذه الرسالة. لا يُنشأ أي حساب من دون الرمز.

## Preview of branding and texts
preview-title = معاينة المظهر
preview-text = شاهد الصفحات والرسائل قبل حفظ مظهرها. لا يُحفظ أي شيء مما تدخله هنا.
preview-page = الصفحة أو الرسالة
preview-scheme = الألوان
preview-light = فاتح
preview-dark = داكن
preview-width = الشاشة
preview-wide = حاسوب
preview-phone = هاتف
preview-organization = المؤسسة، باسمها القصير
preview-accent = اللون المميز
preview-radius = استدارة الزوايا بالبكسل
preview-font = نوع الخط
preview-font-system = خط النظام
preview-font-humanist = إنساني
preview-font-geometric = هندسي
preview-font-rounded = مستدير
preview-font-serif = بزوائد
preview-font-monospace = ثابت العرض
preview-logo = عنوان الشعار
preview-sender = مرسل الرسائل
preview-texts = نصوص خاصة بهذه اللغة
preview-texts-hint = نص واحد في كل سطر: المفتاح، ثم علامة يساوي، ثم النص.
preview-submit = عرض
preview-frame = معاينة
preview-mark = هذه معاينة. لا شيء فيها يعمل.
