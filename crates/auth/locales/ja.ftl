### 日本語。

## 枠
footer = { $tenant } が保護しています
title-error = エラー：
legal-policy = プライバシーポリシー
legal-terms = 利用規約
continue = 続ける
continue-app = { $app } に進む
back-to-signin = ログインに戻る

## ログイン
signin-title = ログイン
signin-to = { $app } に進みます
signin-submit = ログイン
sso-lead = { $name } で続けます。所属する組織の方はそちらでログインします。
sso-alone = ここでは、所属する組織に他のログイン方法は認められていません。
sso-continue = 続ける
sso-address = 仕事用のメールアドレス
sso-link = シングルサインオンでログイン
social-title = その他のログイン方法
social-continue = { $name } で続ける
email-otp-link = コードをメールで受け取る
email-otp-address = メールアドレス
email-otp-send = コードを送信
email-otp-sent = { $address } のアカウントがある場合、そのアドレスにコードを送信しました。
email-otp-label = メールに記載されたコード
email-otp-resend = 新しいコードを送信
email-otp-other = 別のアドレスを使う
magic-link-link = ログイン用リンクをメールで受け取る
magic-link-send = リンクを送信
magic-link-sent = { $address } のアカウントがある場合、そのアドレスにリンクを送信しました。このブラウザで開いてください。
magic-link-resend = 新しいリンクを送信
magic-link-title = ログイン
magic-link-text = { $email } としてログインしますか？
sms-link = コードを電話で受け取る
sms-number = 電話番号
sms-number-hint = 国番号を付けて入力してください（例：+81 90 1234 5678）。
sms-send = コードを送信
sms-second = コードを自分の電話に送信
sms-sent = { $number } のアカウントがある場合、その番号にコードを送信しました。
sms-sent-second = 番号の末尾が { $end } の電話にコードを送信しました。
sms-label = SMS に記載されたコード
sms-resend = 新しいコードを送信
sms-other = 別の番号を使う
signin-forgot = パスワードをお忘れですか？
signin-narrowed = ここでは、このページにあるログイン方法のみ利用できます。
signin-none-accepted = ここで受け付けられるログイン方法が提供されていません。管理者に問い合わせてください。
passkey-or = または
passkey-submit = パスキーでログイン
passkey-second = パスキーまたはセキュリティキーを使う
passkey-cancelled = パスキーは使用されませんでした。もう一度試すか、別の方法でログインしてください。
passkey-failed = ここではこのパスキーを使用できませんでした。もう一度試すか、別の方法でログインしてください。
passkey-not-made = パスキーは作成されませんでした。もう一度試すか、別の方法を選んでください。
passkey-not-able = このデバイスでは、ここで使えるパスキーを作成できません。別の方法を選ぶか、別のデバイスを使ってください。
passkey-needs-script = パスキーとセキュリティキーを使うには、JavaScript が有効なブラウザが必要です。
signin-register-ask = 初めてご利用ですか？
signin-register = アカウントを作成
username-label = メールアドレスまたはユーザー名
email-label = メールアドレス
name-label = 氏名
password-label = パスワード
password-show = パスワードを表示
strength-label = パスワードの強さ
strength-weak = 弱い
strength-fair = 普通
strength-good = 良い
strength-strong = 強い
password-hint = { $count ->
   *[other] { $count } 文字以上。関連のない単語をいくつか組み合わせるのがおすすめです。
}

## 二段階認証
second-title = ご本人であることを確認してください
totp-label = 認証アプリのコード
totp-submit = 確認
backup-code-more = 代わりにバックアップコードを使う
backup-code-label = バックアップコード
trust-browser = { $count ->
   *[other] このブラウザでは { $count } 日間確認を省略する
}
set-up-passkey-why = { $tenant } では、ここまでの確認だけでは足りません。パスキーを作成すると、今後は指紋、顔、または PIN でログインできます。
set-up-totp-why = { $tenant } では、ご本人であることをもう一つの方法で確認します。スマートフォンの認証アプリが 30 秒ごとに新しいコードを表示します。
set-up-totp-begin = アプリを設定
set-up-totp-scan = アプリでこの画像を読み取ってください。
set-up-totp-picture = アプリ用のキーを含む QR コード
set-up-totp-key = 読み取れない場合は、次のキーをアプリに入力してください：
set-up-totp-code = アプリに表示されたコード
set-up-totp-submit = 有効にする

## 登録
register-title = アカウントを作成
register-submit = アカウントを作成
register-signin-ask = すでにアカウントをお持ちですか？
register-signin = ログイン
sent-title = 受信トレイを確認してください
sent-hint = 数分たっても届かない場合は、迷惑メールフォルダを確認するか、もう一度お試しください。
register-sent-text = { $email } にメッセージを送信しました。記載されたリンクを開いて、アカウントの作成を完了してください。
prove-sent-text = { $email } にメッセージを送信しました。記載されたリンクを開いて、これがあなたのアドレスであることを確認してください。確認後に続行できます。

## アドレスの確認
verify-title = メールアドレスの確認
verify-text = { $email } はあなたのアドレスですか？
verify-choose = { $email } としてログインする方法を選んでください。
verify-submit = はい、確認します
verify-passkey = 代わりにパスキーを作成
verify-ignore = お心当たりがない場合は、このページを閉じてください。

## テナントへの参加
join-title = { $tenant } に参加しますか？
join-text = すでにアカウント { $account } をお持ちです。このアカウントで { $tenant } のメンバーになれます。
join-submit = { $account } として参加
join-ignore = 参加しない場合は、このページを閉じてください。
invite-title = { $organization } に参加しますか？
invite-text = { $email } は { $tenant } の { $organization } に招待されています。
invite-choose = このアドレスのアカウントが作成されます。ログイン方法を選んでください。
invite-other = 別の人としてログインしています。招待を受けるには { $email } としてログインしてください。
invite-switch = { $email } としてログイン
invite-submit = 招待を受ける
invite-ignore = 参加しない場合は、このページを閉じてください。何も変更されません。

## アカウントセンター
account-menu = アカウント
account-menu-open = メニュー
account-skip = メニューを飛ばす
account-overview = アカウント
account-profile = プロフィール
account-password = パスワード
account-passkeys = パスキーとセキュリティキー
account-identities = 連携アカウント
account-second-factors = 二段階認証
account-backup-codes = バックアップコード
account-accounts = このブラウザのアカウント
account-sessions = ログイン中の場所
account-login-history = ログイン履歴
account-delegations = 代理の操作
account-organizations = 組織
account-sso = シングルサインオン
account-data = あなたのデータ
account-proven = 確認済み
account-is-set = 設定済み
account-is-not-set = 未設定
account-apps = 認証アプリ
account-count = { $count ->
    [0] なし
   *[other] { $count }
}
account-save = 保存
account-profile-text = プロフィールの表示を許可したアプリケーションには、ここに入力した内容が表示されます。
account-email = メールアドレス
account-email-text = 新しいアドレスは、そのアドレスに送信されるリンクを開いた時点で有効になります。それまでは現在のアドレスのままです。
account-phone = 電話番号
account-phone-text = ご本人の番号であることを確認するため、その番号にコードを送信します。確認後は、その番号に届くコードでログインしたり、二つ目の確認に使ったりできます。
account-phone-label = 新しい電話番号
account-phone-sent = { $number } にコードを送信しました。コードを入力すると番号が有効になります。
new-address-label = 新しいメールアドレス
new-address-mail = リンクをメールで受け取る
new-address-title = メールアドレスの変更
new-address-text = { $email } をアカウントのアドレスにしますか？
account-password-first = まだパスワードが設定されていません。設定すると、どのブラウザからでもログインできます。
account-password-text = 新しいパスワードを保存すると、他のすべての場所からログアウトされます。
given-name-label = 名
family-name-label = 姓
nickname-label = ニックネーム
passkeys-text = パスキーを使うと、パスワードの代わりに指紋、顔、または PIN でログインできます。このアドレスでしか機能しないため、だまし取られることがありません。
passkeys-none = パスキーはまだありません。
passkeys-add = パスキーを追加
security-keys-add = セキュリティキーを追加
security-keys-text = セキュリティキーは、ログインの二段階目で触れる小さなデバイスです。
passkeys-security-key = セキュリティキー（パスワードの後に使用）
passkeys-synced = 他のデバイスにもコピーされています
passkeys-bound = 1 台のデバイスのみ
passkeys-elsewhere = { $host } で使えます。ここでは使えません。
passkeys-present = このデバイスには、このアカウントのパスキーがすでにあります。
passkeys-not-made = パスキーは追加されませんでした。準備ができたらもう一度お試しください。
passkeys-not-able = このデバイスでは、ここで使えるパスキーを作成できません。別のデバイスかセキュリティキーを使ってください。
identities-text = 他のサービスのアカウントを使ってここにログインできます。どのアカウントでも、他のログイン方法と同じようにこのアカウントを開けます。
identities-none = 連携しているアカウントはありません。
identities-add = アカウントを連携
identities-connect = { $name } と連携
second-factors-text = スマートフォンの認証アプリを使うと、パスワードなどの最初の一段階だけではあなたとしてログインできなくなります。
second-factors-add = アプリを追加
credential-name = 名前
credential-rename = 名前を変更
credential-remove = 削除
credential-added = { $day } に追加
credential-used = 最終使用日 { $day }
credential-ends = { $day } まで
trusted-browsers = 確認を省略するブラウザ
trusted-browsers-forget = すべてのブラウザで再び確認する
backup-codes-text = スマートフォンが手元にないとき、バックアップコードで一度だけログインできます。コードは紙に控え、スマートフォンとは別の場所に保管してください。
backup-codes-left = { $count ->
    [0] コードはありません。
   *[other] 残りのコードは { $count } 個です。
}
backup-codes-make = 新しいコードを作成
backup-codes-note = 新しいコードを作成すると、古いコードは使えなくなります。
backup-codes-once = このコードを今すぐ印刷するか書き留めてください。再表示はできません。
backup-codes-copy = コードをコピー
backup-codes-copied = コードをコピーしました。
backup-codes-print = 印刷
backup-codes-noted = コードを控えました
session-here = このブラウザ
session-unknown = 不明なブラウザ
session-since = ログイン日時
session-seen = 最終利用
session-end = この場所からログアウト
sessions-end-others = 他のすべての場所からログアウト
accounts-text = ここでは複数のアカウントにログインして切り替えることができます。各アカウントはログアウトするまでログインしたままです。
accounts-present = 使用中
accounts-use = このアカウントに切り替える
accounts-end = ログアウト
accounts-add = 別のアカウントを追加
accounts-full = このブラウザにはこれ以上アカウントを追加できません。追加すると、最も長く使われていないアカウントがログアウトされます。
accounts-end-all = すべてのアカウントからログアウト
login-history-text = 過去 3 か月間に、いつ、どこからアカウントへのログインがあり、何が失敗したかを表示します。
login-history-none = 記録が始まってから、まだログインはありません。
login-history-not-you = お心当たりのないものがありますか？
login-success = ログイン
login-failure = 失敗
login-refused = 拒否
login-disowned = 本人ではない
login-when = 日時
login-with = 使用環境
login-from = 接続元
login-by-password = パスワードを使用
login-by-code = コードを使用
login-by-key = パスキーまたはセキュリティキーを使用
login-by-organization = 所属する組織を経由
login-by-provider = 外部サービスを経由
login-by-trusted-browser = 信頼済みのブラウザを使用
login-new-device = これまでログインに使ったことのないブラウザです。
login-new-network = これまでログインに使ったことのないネットワークです。
login-unusual-hour = 普段はログインしない時間帯です。
login-impossible-travel = 直前に、移動できないほど離れた場所からログインがありました。
login-many-failures = 1 日のうちにログインの失敗が何度もありました。
login-disposable-address = お使いのアドレスは、使い捨てアドレスの提供元のものです。
undo-address-title = ご本人ですか？
undo-address-text = アドレス { $email } を使っていたアカウントは、別のアドレスに変更されました。
undo-address-yes = ご自身で変更した場合は、何もする必要はありません。このページを閉じてください。
undo-address-submit = いいえ、アドレスを元に戻します
undo-address-hint = アカウントのアドレスを元に戻します。すべてのデバイスでアカウントの利用をすべて終了し、最近追加されたものを取り消します。アカウントにパスワードがある場合は、その後、新しいパスワードを設定していただきます。
was-this-you-title = ご本人ですか？
was-this-you-entered = あなたのアカウントへのログインがありました。
was-this-you-refused = パスワードなど、ログインに必要なものは正しく入力されましたが、普段と大きく異なるログインだったため拒否しました。
was-this-you-yes = ご本人による操作であれば、何もする必要はありません。このページを閉じてください。
was-this-you-no = いいえ、自分ではありません
was-this-you-hint = その場合、すべてのデバイスでアカウントの利用をすべて終了します。アカウントにパスワードがある場合は、その後、新しいパスワードを設定していただきます。
delegations-text = 他のサービスであなたの代わりに操作するアプリとエージェントです。ここで終了すると、そこから生じたものもすべてすぐに終了します。
delegations-none = 現在、あなたの代わりに操作しているものはありません。
delegation-purpose = 目的：
delegation-end = { $app } による代理の操作を終了
organizations-none = 所属している組織はありません。招待されると、このページに表示されます。
organization-roles = あなたのロール：
organization-leave = { $organization } から脱退
organization-sso = { $organization } のシングルサインオンをテスト
account-sso-text = 所属する組織の方がプロバイダーに案内されるかどうかをテストします。テストでは、プロバイダーが公開している内容を順に読み取ります。誰もログインさせず、設定も変更しません。
sso-none = プロバイダーが設定された組織はまだありません。
sso-connection-on = 有効
sso-connection-off = 無効
sso-test = { $name } をテスト
sso-test-usable = このプロバイダーに案内できます。
sso-test-unusable = このプロバイダーではまだログインできません。
sso-test-cut = 失敗した項目より後の項目は省略されました。その項目を修正してから、もう一度テストしてください。
sso-test-first-sign-in = プロバイダーがこのクライアントとシークレットを受け入れるか、また利用者について何を伝えるかは、実際のログインでのみ確認できます。接続を有効にしたら、プライベートウィンドウでログインページを開き、組織のメールアドレスでシングルサインオンを選んでください。
sso-redirect-uri = プロバイダーに登録するリダイレクト URI：
sso-backchannel-uri = バックチャネルログアウト URI（プロバイダーが求める場合）：
sso-outcome-passed = 成功
sso-outcome-warning = 警告
sso-outcome-failed = 失敗
sso-step-discovery = プロバイダーの情報
sso-step-issuer = プロバイダーの名称
sso-step-endpoints = アドレス
sso-step-keys = 鍵
sso-step-client-auth = このクライアントの認証
sso-step-id-token = ID トークンの署名
sso-step-pkce = コードの保護 (PKCE)
sso-found-described = プロバイダーの情報は { $value } にあります。
sso-found-unreachable = { $value } に接続できませんでした。接続の issuer が正しいか、プロバイダーにインターネットから接続できるかを確認してください。
sso-found-refused = プロバイダーは { $value } にエラーを返しました。プロバイダーの設定で正しい issuer を確認してください。
sso-found-no-document = { $value } にあるのはプロバイダーの情報ではありません。プロバイダーの設定で正しい issuer を確認してください。
sso-found-same-issuer = プロバイダーの名称は接続の設定と一致しています。
sso-found-other-issuer = プロバイダーの名称は「{ $value }」です。接続の issuer をこのとおりに設定してください。
sso-found-endpoints = ログイン、トークン、鍵のアドレスを呼び出せます。
sso-found-endpoint-missing = プロバイダーの情報に { $value } がありません。公開するようプロバイダーの管理者に依頼してください。
sso-found-endpoint-out-of-reach = { $value } のアドレスはここから呼び出せません。公開されていて、https で始まる必要があります。修正するようプロバイダーの管理者に依頼してください。
sso-found-keys = { $value } の鍵を読み取れました。
sso-found-no-keys = { $value } から使用できる鍵を読み取れませんでした。そこに鍵セット (JWKS) を公開するようプロバイダーの管理者に依頼してください。
sso-found-client-auth = プロバイダーは、接続に設定されている { $value } を受け入れます。
sso-found-other-client-auth = プロバイダーは、設定されているクライアント認証を受け入れません。次のいずれかに設定してください：{ $value }。
sso-found-id-tokens = プロバイダーは ID トークンに { $value } で署名します。
sso-found-other-id-tokens = プロバイダーの ID トークンの署名方式は、ここでは受け入れられません。プロバイダーで次のいずれかを設定してください：{ $value }。
sso-found-pkce = プロバイダーは S256 でコードを検証します。
sso-found-pkce-unsaid = プロバイダーは S256 による PKCE への対応を示していません。それでもログインでき、チャレンジも送信されます。可能であれば、プロバイダーで PKCE を有効にしてください。
invitation-to = { $organization } への招待
invitation-join = { $organization } に参加
invitation-decline = 辞退
data-text = ここに保存されているあなたの情報をダウンロードできます。プロフィール、ログイン方法（秘密の情報は除く）、ログイン中の場所、アプリケーションに許可した内容、所属する組織が含まれます。ファイルは、他のプログラムで読み取れる JSON 形式です。
data-submit = ダウンロード
account-deletion = アカウントの削除
deletion-text = すべての場所からただちにログアウトされます。{ $count ->
    [0] アカウントは、すべての内容とともに削除されます。
   *[other] { $count } 日以内であればアカウントを残せます。ここにログインし、「アカウントを残す」を選んでください。ログインするだけでは残りません。それを過ぎると、すべての内容とともに削除されます。
}
deletion-sure = アカウントを削除します。
deletion-submit = アカウントを削除
deletion-due = アカウントは { $day } に削除されます。
deletion-keep = アカウントを残す

## パスワードを忘れた場合
forgot-title = パスワードの再設定
forgot-text = どなたかをお知らせください。新しいパスワードを設定するためのリンクをメールでお送りします。
forgot-submit = リンクを送信
forgot-sent-text = 該当するアカウントがある場合、新しいパスワードを設定するためのリンクをそのメールアドレスに送信しました。
reset-title = 新しいパスワードの設定
reset-text = アカウント：{ $account }
new-password-label = 新しいパスワード
reset-submit = パスワードを保存

## 同意
consent-title = { $app } がアカウントへのアクセスを求めています
consent-switch = 別のアカウントを使いますか？
consent-allow = 許可
consent-deny = 許可しない
consent-note = { $app } を信頼できる場合のみ許可してください。
consent-home = このアプリケーションについて
scope-openid = ログイン時にあなたが誰かを知る
scope-profile = 名前や写真などのプロフィールを見る
scope-email = メールアドレスを見る
scope-address = 住所を見る
scope-phone = 電話番号を見る
scope-offline-access = あなたが利用していない間もこのアクセスを保持する
claim-name = 氏名を見る
claim-given-name = 名を見る
claim-family-name = 姓を見る
claim-middle-name = ミドルネームを見る
claim-nickname = ニックネームを見る
claim-preferred-username = ユーザー名を見る
claim-profile = プロフィールページのアドレスを見る
claim-picture = 写真を見る
claim-website = ウェブサイトのアドレスを見る
claim-gender = 性別を見る
claim-birthdate = 生年月日を見る
claim-zoneinfo = タイムゾーンを見る
claim-locale = 言語を見る
claim-updated-at = プロフィールの最終更新日時を見る
claim-email-verified = メールアドレスが確認済みかどうかを見る
claim-phone-number-verified = 電話番号が確認済みかどうかを見る

## アカウントの選択
select-title = アカウントを選択
select-other = 別のアカウントを使う
organization-title = 組織を選択
organization-legend = 所属する組織
organization-submit = 続ける
organization-deny = キャンセル
organization-none = このアカウントはまだ組織に所属していません。組織の管理者に追加を依頼するか、別のアカウントを使ってください。
organization-none-named = このアカウントは、アプリケーションが求める組織に所属していません。別のアカウントを使うか、前に戻ってください。

## What people are asked for
field-optional = （任意）
field-choose = 選択してください
complete-title = 続ける前に
complete-text = { $tenant } では次の内容が必要です。
complete-later = 後で
terms-accept = 次の文書に同意します：
terms-submit = 同意する
terms-none = まだどの文書にも同意していません。
terms-version = 版：
terms-accepted = 同意した日時：
account-terms = 規約
account-terms-text = ここで同意した文書とその日時です。
account-details = 登録情報
account-details-text = { $tenant } がお尋ねしている内容です。

## デバイスと承認
device-title = デバイスを接続
device-text = デバイスに表示されているコードを入力してください。
device-code-label = コード
device-submit = 続ける
device-warning = 目の前にあるデバイスで、ご自身が始めた場合のみ続けてください。手助けを申し出る人に、あなたのコードは必要ありません。
approvals-title = 承認待ち
approvals-none = 承認待ちのものはありません。
approvals-warning = ご自身が始めたもので、ここに表示された内容が相手側の表示とすべて一致する場合のみ許可してください。誰かに言われてここに来た場合は許可しないでください。その人があなたのアカウントに入れてしまいます。
approvals-code = デバイスに次のコードが表示されている必要があります：
approvals-message = 相手側に次のメッセージが表示されている必要があります：
approvals-expires = あと { $duration }有効です。

## ログアウト
signout-title = ログアウトしますか？
signout-app = { $app } がログアウトを求めています。
signout-text = このブラウザで { $tenant } からログアウトします。
signout-choose = このブラウザでどのアカウントからログアウトしますか？
signout-submit = ログアウト
signout-stay = ログインしたままにするには、このページを閉じてください。
signedout-title = ログアウトしました
signedout-text = このウィンドウを閉じても問題ありません。
signedout-others = このブラウザでは他のアカウントがまだログインしています。
signedout-others-link = アカウントを表示

## アプリケーションに戻る
formpost-title = もう少しで完了です
formpost-text = アプリケーションに戻ります。

## フォームのエラーとお知らせ
error-wrong-credentials = ユーザー名またはパスワードが正しくありません。もう一度お試しください。
error-too-many-attempts = 試行回数が多すぎます。{ $duration }待ってから、もう一度お試しください。
error-unavailable-for = 現在、サービスに接続できません。{ $duration }待ってから、もう一度お試しください。
error-locked-out = 試行回数が多すぎます。{ $duration }待つか、パスワードを再設定してください。
error-code-wrong = コードが間違っているか、古すぎるか、すでに使われています。次のコードを待ってから、もう一度お試しください。
error-app-lost = 認証アプリの鍵がこのサービスから失われたため、そのコードは使えなくなりました。バックアップコードなど、別の方法でログインし、アカウントでアプリをもう一度設定してから、古いアプリを削除してください。別の方法がない場合は、このサービスの運営者にお問い合わせください。
error-backup-code-wrong = バックアップコードが間違っているか、すでに使われています。書き方を確認するか、別のコードをお使いください。
error-mail-code-wrong = コードが間違っているか、古すぎるか、すでに使われています。最新のメールを確認するか、新しいコードを送信してください。
error-sign-in-unusual = 普段と大きく異なるログインのため、許可できません。以前ログインしたことのあるブラウザかパスキーを使うか、新しいパスワードを設定してください。お知らせのメールを送信しました。
error-sign-in-unusual-untold = 普段と大きく異なるログインのため、許可できません。以前ログインしたことのあるブラウザかパスキーを使ってください。
error-way-not-accepted = このログイン方法はここでは受け付けられません。
error-sign-in-refused = 現在、ここにはログインできません。利用したいアプリケーションの組織に問い合わせてください。
error-sign-in-unavailable = 現在、ログインできません。しばらくしてからもう一度お試しください。
error-second-factor-out-of-reach = このログインには二段階認証が必要ですが、アカウントに設定されていません。利用したいアプリケーションの組織に問い合わせてください。
error-mail-code-not-enough = このアカウントでは、メールで届いたコードやリンクだけではログインできません。パスキーや所属する組織など、別の方法でログインしてください。
error-mail-code-needs-password = このアカウントでは、メールで届いたコードやリンクだけではログインできず、パスワードもまだありません。「パスワードをお忘れですか？」からパスワードを設定し、それでログインしてください。
error-text-code-wrong = コードが間違っているか、古すぎるか、すでに使われています。最新の SMS を確認するか、新しいコードを送信してください。
error-text-code-not-enough = このアカウントでは、SMS で届いたコードだけではログインできません。パスワード、パスキー、または所属する組織でログインしてください。
error-provider-not-enough = ここだけで有効なプロバイダーでログインしています。このアカウントへのログイン方法を変更するには、それだけでは不十分です。パスワード、パスキー、または送信されたコードでログインしてください。
error-provider-alone = 組織の設定により、ここだけで有効な組織のプロバイダーでのみログインできます。このページを開くには、それだけでは不十分です。組織の管理者にお問い合わせください。
error-phone-invalid = 国番号を付けて電話番号を入力してください（例：+81 90 1234 5678）。
error-phone-same = この番号はすでにアカウントに登録されています。
error-email-enforced = ログイン方法は、このアドレスをもとに組織が決めています。変更は組織の管理者に依頼してください。
error-phone-taken = この番号は別のアカウントに登録されています。先にそのアカウントから削除してください。
error-sso-unknown = このアドレスにはシングルサインオンが設定されていません。別の方法でログインしてください。
error-sso-failed = 組織のログインがうまくいきませんでした。もう一度試すか、管理者に問い合わせてください。
error-sso-no-member = 組織にログインしましたが、ここへのアクセスは許可されていません。管理者に問い合わせてください。
error-social-failed = 外部サービスでのログインがうまくいきませんでした。もう一度試すか、別の方法でログインしてください。
error-provider-not-fresh = ここでは改めてログインする必要がありますが、外部サービスでのログインから時間が経ちすぎています。そちらでもう一度ログインするか、別の方法でログインしてください。
error-provider-declined = 外部サービスでのログインがキャンセルされたか、そちらのアカウントではこのサービスを利用できません。もう一度試すか、別の方法でログインしてください。
error-provider-unfinished = 外部サービスでのログインが完了していません。そちらでまだ必要な操作があります。もう一度最後まで進めるか、別の方法でログインしてください。
error-provider-unavailable = 外部サービスでのログインは現在利用できません。しばらくしてからもう一度試すか、別の方法でログインしてください。
error-social-unknown = そのアカウントと連携しているアカウントはまだありません。別の方法でログインしてから、アカウントの設定で連携してください。
error-social-no-account = お使いのアドレスのアカウントはなく、ここで新しいアカウントを作成することもできません。
error-name-invalid = 名前はそれぞれ 200 文字以内の 1 行で入力してください。
error-credential-name = 名前は 60 文字以内の 1 行で入力してください。
error-second-factor-needed = ここでは二段階認証が必要です。このアプリを削除する前に、別のアプリを追加してください。
error-second-factor-missing = バックアップコードは二段階認証の予備です。先に二段階認証を設定してください。
error-organization-owned = あなたはこの組織の所有者です。先に別のメンバーを所有者にしてください。
error-sso-tested = この接続はたった今テストされました。10 秒待ってから、もう一度テストしてください。
error-deletion-refused = 現在、アカウントを削除できません。組織の所有者である場合は、先に別のメンバーを所有者にしてください。
error-deletion-unsure = アカウントを削除するには、チェックを入れてください。
error-last-operator = このサービスを管理できるのはあなただけです。先に別のメンバーに同じ権限を与えてください。
error-username-missing = メールアドレスまたはユーザー名を入力してください。
error-captcha-missing = ロボットではないことを確認してください。
error-captcha-wrong = 確認に失敗したか、時間がかかりすぎました。もう一度お試しください。
error-captcha-unknown = 現在、ロボットかどうかの確認ができません。しばらくしてからもう一度お試しください。
captcha-working = ロボットではないことを確認しています…
captcha-done = ロボットではないことを確認しました。
captcha-needs-script = この手順ではロボットを防ぐために JavaScript が必要です。有効にしてからページを再読み込みしてください。
captcha-failed = ロボット確認を読み込めませんでした。広告ブロッカーなどが妨げている場合は許可してから、ページを再読み込みしてください。
error-password-missing = パスワードを入力してください。
error-answers-incomplete = 入力されていない、または正しくない項目があります。印の付いた項目を確認してください。
error-terms-not-accepted = 続けるには同意してください。
error-answer-missing = 入力してください。
error-answer-invalid = この内容は使えません。入力を確認してください。
error-answer-too-short = { $count } 文字以上で入力してください。
error-answer-too-long = { $count } 文字以内で入力してください。
error-name-missing = 名前を入力してください。
error-email-invalid = you@example.com のようなメールアドレスを入力してください。
error-email-same = このアドレスはすでにアカウントに登録されています。
error-registration-refused = このアドレスでは登録できません。別のアドレスを使うか、利用したいアプリケーションの組織に問い合わせてください。
error-registration-unavailable = 現在、登録できません。しばらくしてからもう一度お試しください。
error-password-too-short = { $count ->
   *[other] パスワードは { $count } 文字以上にしてください。
}
error-password-too-long = { $count ->
   *[other] パスワードは { $count } 文字以内にしてください。
}
error-password-too-common = このパスワードは推測されやすいものです。別のパスワードを選んでください。
error-password-breached = このパスワードは他のサイトから流出したことが知られています。別のパスワードを選んでください。
error-password-unchecked = 現在、このパスワードを検査できません。しばらくしてからもう一度お試しください。
error-passkey-unknown = このパスキーはここでは登録されていません。アカウントから削除された可能性があります。別の方法でログインしてください。
error-passkey-late = 時間がかかりすぎました。もう一度お試しください。
error-passkey-locked = デバイスに求められたら、指紋、顔、または PIN でパスキーのロックを解除してください。
error-passkey-failed = パスキーを検証できませんでした。もう一度試すか、別の方法でログインしてください。
error-last-credential = これはアカウントにログインする最後の手段です。先に別の手段を追加してください。
error-passkey-taken = このパスキーを追加できませんでした。すでに使われているか、パスキーの数が多すぎます。使わなくなったものを削除してください。
error-user-code = コードが正しくないか、期限が切れています。もう一度デバイスを確認してください。
notice-sign-in-again = 続けるには、もう一度ログインしてください。
notice-one-more-step = あと一歩です。別の方法でもご本人であることを確認してください。
notice-address-mailed = 新しいアドレスにリンクを送信しました。開いて変更を確認してください。
notice-phone-added = 電話番号を確認しました。
notice-phone-removed = 電話番号を削除しました。
notice-account-kept = アカウントはそのまま残ります。
notice-terms-accepted = 同意しました。
notice-details-saved = 登録情報を保存しました。
notice-profile-saved = プロフィールを保存しました。
notice-credential-added = 追加しました。
notice-social-known-address = お使いのアドレスのアカウントがすでにあります。これまでどおりの方法でログインしてください。それ以降は、もう一方のアカウントでもログインできます。
notice-social-not-linked = そのアカウントはまだ登録されておらず、確認済みのアドレスもありません。これまでどおりにログインするか、ここでアカウントを作成してください。それ以降は、もう一方のアカウントでもログインできます。
notice-identity-linked = 連携しました。
notice-identity-taken = そのアカウントはすでに、ここの別のアカウントと連携しているか、同じサービスの別のアカウントが連携されています。
notice-credential-renamed = 名前を変更しました。
notice-credential-removed = 削除しました。
notice-browsers-forgotten = 次回から、すべてのブラウザで二段階認証を求めます。
notice-sessions-ended = その場所からログアウトしました。
notice-account-switched = アカウントを切り替えました。
notice-account-signed-out = そのアカウントからログアウトしました。
notice-other-account = そのページは別のアカウントのものだったため、何も変更されていません。
notice-signed-out-meanwhile = その間にログアウトされたため、何も変更されていません。ログインして、もう一度入力してください。
notice-link-of-another = このリンクは、ここでログインしているアカウントとは別のアカウントのものです。リンクを依頼したアカウントでログインしてください。
notice-organization-left = 組織から脱退しました。
notice-organization-joined = 組織のメンバーになりました。
notice-invitation-declined = 招待を辞退しました。
notice-invitation-gone = この招待は無効になりました。
notice-delegation-ended = 代理の操作を終了しました。
notice-password-changed = パスワードを変更しました。新しいパスワードでログインしてください。

## 結果
done-email-verified-title = メールアドレスを確認しました
done-email-verified-text = アカウントを利用できるようになりました。
done-deletion-begun-title = アカウントは削除されます
done-deletion-begun-text = すべての場所からログアウトしました。アカウントを残す方法をメールでお送りしました。
done-address-changed-title = メールアドレスを変更しました
done-address-changed-text = 今後は新しいアドレスでログインしてください。
done-address-restored-title = アドレスを元に戻しました
done-address-restored-text = アカウントのアドレスを元に戻し、アカウントの利用をすべて終了しました。次にログインしたときに、ログイン方法を確認してください。
done-address-occupied-title = このアドレスは別のアカウントで使われています
done-address-occupied-text = 変更を取り消せるのは、別のアカウントがこのアドレスを使っていない間だけです。このサービスの運営者に知らせてください。
done-password-changed-title = パスワードを変更しました
done-password-changed-text = 今後は新しいパスワードでログインしてください。
done-sign-in-disowned-title = お知らせいただきありがとうございます
done-sign-in-disowned-text = アカウントの利用をすべて終了しました。次にログインしたときに、ログイン方法を確認してください。
done-password-taken-title = お知らせいただきありがとうございます
done-password-taken-text = アカウントの利用をすべて終了し、パスワードを無効にしました。新しいパスワードについては、管理者、または登録した協力者に依頼してください。
done-changed-since-title = このリンクは間に合いませんでした
done-changed-since-text = このログインの後にパスワードが変更されたか、アカウントの利用がすでにすべて終了されています。お心当たりがない場合は、今すぐ新しいパスワードを設定してください。アカウントの利用がすべて終了します。その後、ログイン方法を確認してください。
done-invitation-accepted-title = ようこそ
done-invitation-accepted-text = 組織のメンバーになりました。
done-opened-elsewhere-title = リンクを求めたブラウザで開いてください
done-opened-elsewhere-text = このリンクでログインできるのは、リンクを求めたブラウザだけです。そのブラウザで開くか、このブラウザで新しいリンクを求めてください。お心当たりがない場合は、メールを無視してください。
done-link-expired-title = このリンクは使えなくなりました
done-link-expired-text = すでに使われたか、古すぎます。新しいリンクを請求してください。
done-refused-title = アクセスは許可されませんでした
done-refused-text = 何も共有されていません。このウィンドウを閉じてかまいません。
done-approved-title = 許可しました
done-approved-text = デバイスに戻ってください。まもなく自動的に続行されます。
done-support-allowed-title = 許可しました
done-support-allowed-text = サポート担当者は、求められた時間だけあなたのアカウントで操作できるようになりました。このウィンドウを閉じてかまいません。
done-decided-title = このリクエストは終了しています
done-decided-text = すでに回答済みか、期限が過ぎています。今回は何も変更されていません。

## エラーページ
problem-request-title = このリクエストは完了できません
problem-request-text = アプリケーションから受け付けられない内容が送信されました。アプリケーションに戻ってもう一度試し、それでも解決しない場合は開発元に知らせてください。
problem-not-found-title = ページが見つかりません
problem-not-found-text = このアドレスには何もありません。アドレスを確認するか、元の場所に戻ってください。
problem-large-title = データが大きすぎます
problem-large-text = ブラウザから送信されたデータが大きすぎて受け付けられません。前のページに戻り、内容を減らして送信してください。すべてのページで発生する場合は、このサイトの Cookie を削除してください。
problem-rate-title = リクエストが多すぎます
problem-rate-text = 少し待ってから、もう一度お試しください。
problem-expired-title = 期限が切れました
problem-expired-text = アプリケーションに戻って、最初からやり直してください。
problem-denied-title = アクセスが拒否されました
problem-denied-text = この操作は許可されていません。許可されているはずだと思われる場合は、このサービスの運営者に問い合わせてください。
problem-server-title = 問題が発生しました
problem-server-text = こちら側の不具合です。もう一度お試しください。繰り返し発生する場合は、下のリクエスト ID をお知らせください。
problem-unavailable-title = まもなく再開します
problem-unavailable-text = 現在、サービスに接続できません。しばらくしてからもう一度お試しください。
problem-retry = もう一度試す
problem-code = エラーコード
problem-detail = 開発者向けの詳細
problem-request = リクエスト ID

## メール
mail-greeting = { $name } 様
mail-greeting-plain = こんにちは。
mail-expires = このリンクは { $duration }有効で、一度だけ使えます。
mail-link = ボタンが機能しない場合は、次のアドレスをブラウザにコピーしてください：
duration-minutes = { $count ->
   *[other] { $count } 分間
}
duration-days = { $count ->
   *[other] { $count } 日間
}
duration-hours = { $count ->
   *[other] { $count } 時間
}
mail-verify-subject = { $tenant }: メールアドレスの確認
mail-verify-text = { $tenant } のアカウント作成を完了するため、これがあなたのアドレスであることを確認してください。
mail-verify-button = メールアドレスを確認
mail-verify-ignore = アカウントを作成していない場合は、このメッセージを無視してください。
mail-prove-subject = { $tenant }: メールアドレスをご確認ください
mail-prove-text = このアドレスのアカウントで { $tenant } にログインしようとする操作がありました。ご本人の場合は、続行するため、これがあなたのアドレスであることを確認してください。
mail-prove-button = メールアドレスを確認
mail-prove-ignore = お心当たりがない場合は、このメッセージを無視してください。アドレスは未確認のままになります。
mail-reset-subject = { $tenant }: パスワードの再設定
mail-reset-text = このアドレスのアカウントについて、{ $tenant } で新しいパスワードの設定が求められました。ご本人の場合は、ここで設定してください。
mail-reset-button = 新しいパスワードを設定
mail-reset-ignore = お心当たりがない場合は、このメッセージを無視してください。パスワードは変更されません。
mail-recovery-subject = { $tenant }: 新しいパスワードを設定してください
mail-recovery-text = { $tenant } の管理者から、このアドレスのアカウントに新しいパスワードを設定するためのリンクをお送りします。
mail-recovery-button = 新しいパスワードを設定
mail-recovery-ignore = 新しいパスワードが必要ない場合は、このメッセージを無視してください。パスワードは変更されません。
mail-invitation-subject = { $tenant } からの招待
mail-invitation-text = このアドレスのアカウントで { $tenant } のメンバーになるよう招待されています。
mail-invitation-button = 招待を受ける
mail-invitation-ignore = 希望しない場合は、このメッセージを無視してください。何も変更されません。
mail-organization-invitation-subject = { $tenant }: { $organization } からの招待
mail-organization-invitation-text = このアドレスのアカウントで、{ $tenant } の { $organization } に招待されています。
mail-organization-invitation-button = 招待を見る
mail-organization-invitation-ignore = 希望しない場合は、このメッセージを無視してください。何も変更されません。
mail-exists-subject = { $tenant }: お持ちのアカウントでログインしてください
mail-exists-text = このアドレスで { $tenant } のアカウントを作成しようとする操作がありました。このアドレスのアカウントはすでにあります。このリンクでログインでき、まだメンバーでない場合は { $tenant } のメンバーになります。
mail-exists-button = ログイン
mail-exists-ignore = お心当たりがない場合は、このメッセージを無視してください。何も変更されていません。
mail-locked-subject = { $tenant }: パスワードの誤入力が多すぎます
mail-locked-text = { $tenant } で、このアドレスのアカウントに対して間違ったパスワードが何度も入力されました。これまで使ったことのないブラウザでは、{ $duration }ログインできません。以前ログインしたブラウザでは引き続きログインでき、新しいパスワードを設定するとこの制限は解除されます。
mail-locked-button = 新しいパスワードを設定
mail-locked-ignore = 他で使っていない強いパスワードであれば、何もする必要はありません。このメッセージが届くのは一度だけです。
mail-new-device-subject = { $tenant }: アカウントへの新しいログインがありました
mail-new-device-text = { $tenant } のあなたのアカウントに、これまで使われたことのないブラウザから、または普段と異なる方法でログインがありました。ご本人ですか？日時と場所を確認し、お心当たりがない場合はお知らせください。
mail-new-device-button = 確認する
mail-new-device-ignore = ご本人による操作であれば、何もする必要はありません。
mail-sign-in-refused-subject = { $tenant }: アカウントへのログインを拒否しました
mail-sign-in-refused-text = { $tenant } のあなたのアカウントに、パスワードなど正しい情報でログインしようとする操作がありました。普段と大きく異なるログインだったため拒否しました。ご本人ですか？日時と場所を確認し、お心当たりがない場合はお知らせください。
mail-sign-in-refused-button = 確認する
mail-sign-in-refused-ignore = ご本人による操作であれば、以前使ったことのあるブラウザかパスキーでログインしてください。
mail-signin-link-subject = { $tenant }: ログイン用のリンク
mail-signin-link-text = { $tenant } にログインするためのリンクです。リンクを求めたブラウザで開いてください。
mail-signin-link-button = ログイン
mail-signin-link-ignore = お心当たりがない場合は、このメッセージを無視してください。リンクを求めたブラウザ以外では、このリンクでログインできません。
text-sign-in = { $code } は { $tenant } のログイン用コードです。有効期間は { $duration }です。誰にも教えないでください。
text-new-password = { $code } は { $tenant } の新しいパスワードを設定するためのコードです。有効期間は { $duration }です。誰にも教えないでください。
text-new-number = { $code } は { $tenant } で電話番号を確認するためのコードです。有効期間は { $duration }です。誰にも教えないでください。
mail-code-subject = { $tenant }: ログイン用のコード
mail-code-text = { $tenant } にログインするためのコードです。コードを求めたページに入力し、誰にも教えないでください。{ $duration }有効で、一度だけ使えます。
mail-code-button = コード
mail-code-ignore = コードを求めていない場合は、このメッセージを無視してください。コードがなければ誰もログインできません。
mail-credential-added-subject = { $kind ->
    [app] { $tenant }: アカウントに認証アプリが追加されました
    [backup-codes] { $tenant }: アカウントの新しいバックアップコードが作成されました
    [passkey] { $tenant }: アカウントにパスキーが追加されました
    [security-key] { $tenant }: アカウントにセキュリティキーが追加されました
    [phone] { $tenant }: アカウントに電話番号が追加されました
    [identity] { $tenant }: 他のアカウントが連携されました
    [wallet] { $tenant }: アカウントにウォレットが追加されました
   *[other] { $tenant }: アカウントにログイン方法が追加されました
}
mail-credential-added-text = { $kind ->
    [app] { $tenant } のアカウントに認証アプリが追加されました。このアプリのコードは、ご本人であることの証明に使えます。
    [backup-codes] { $tenant } のアカウントの新しいバックアップコードが作成されました。以前のコードは使えなくなりました。
    [passkey] { $tenant } のアカウントにパスキーが追加されました。
    [security-key] { $tenant } のアカウントにセキュリティキーが追加されました。
    [phone] { $tenant } のアカウントに電話番号が追加されました。この番号に届くコードは、ご本人であることの証明に使えます。
    [identity] { $tenant } のアカウントに、他のサービスのアカウントが連携されました。今後、連携したアカウントでログインできます。
    [wallet] { $tenant } のアカウントにウォレットが追加されました。今後、このウォレットでログインできます。
   *[other] { $tenant } のアカウントに、ご本人であることを証明する手段が追加されました。
}
mail-credential-added-button = 自分ではありません
mail-credential-added-ignore = ご本人による操作であれば、何もする必要はありません。
mail-credential-removed-subject = { $kind ->
    [app] { $tenant }: アカウントから認証アプリが削除されました
    [backup-codes] { $tenant }: アカウントからバックアップコードが削除されました
    [passkey] { $tenant }: アカウントからパスキーが削除されました
    [security-key] { $tenant }: アカウントからセキュリティキーが削除されました
    [phone] { $tenant }: アカウントから電話番号が削除されました
    [identity] { $tenant }: アカウントから連携アカウントが削除されました
    [wallet] { $tenant }: アカウントからウォレットが削除されました
   *[other] { $tenant }: アカウントからログイン方法が削除されました
}
mail-credential-removed-text = { $kind ->
    [app] { $tenant } のアカウントから認証アプリが削除されました。
    [backup-codes] { $tenant } のアカウントからバックアップコードが削除されました。
    [passkey] { $tenant } のアカウントからパスキーが削除されました。
    [security-key] { $tenant } のアカウントからセキュリティキーが削除されました。
    [phone] { $tenant } のアカウントから電話番号が削除されました。
    [identity] { $tenant } のアカウントから連携アカウントが削除されました。今後、そのアカウントではログインできません。
    [wallet] { $tenant } のアカウントからウォレットが削除されました。今後、そのウォレットではログインできません。
   *[other] { $tenant } のアカウントから、ご本人であることを証明する手段が削除されました。
}
mail-credential-removed-button = 自分ではありません
mail-credential-removed-ignore = ご本人による操作であれば、何もする必要はありません。
mail-handed-over-subject = { $tenant } のアカウントがご本人に引き渡されました
mail-handed-over-text = このアドレスがご本人のものであることが確認されました。それより前にアカウントに追加されたもの（パスワード、パスキー、アプリ、電話番号、連携したアカウント）では、もうログインできません。ログイン中のすべてのブラウザからログアウトしました。
mail-handed-over-button = 自分ではありません
mail-handed-over-ignore = ご本人による操作であれば、何もする必要はありません。ご自分のものは、アカウントで再び追加できます。
mail-deletion-subject = { $tenant }: アカウントは削除されます
mail-deletion-text = { $tenant } のアカウントの削除が求められました。{ $duration }はアカウントを残すことができます。リンクを開いてログインし、「アカウントを残す」を選んでください。ログインするだけでは残りません。それを過ぎると削除されます。
mail-deletion-button = アカウントを残す
mail-deletion-ignore = 削除を希望する場合は、何もする必要はありません。お心当たりがない場合は、アカウントを残してパスワードを変更してください。
mail-new-address-subject = { $tenant }: 新しいメールアドレスの確認
mail-new-address-text = このアドレスを { $tenant } のアカウントに使おうとしています。ご自身としてログインした状態で、このリンクから確認してください。
mail-new-address-button = アドレスを確認
mail-new-address-ignore = お心当たりがない場合は、このメッセージを無視してください。何も変更されません。
mail-address-taken-subject = { $tenant }: このアドレスにはすでにアカウントがあります
mail-address-taken-text = このアドレスを { $tenant } の別のアカウントに使おうとする操作がありました。すでにアカウントに登録されているため、何も変更されていません。別のアカウントで使うには、まず現在のアカウントに別のアドレスを設定してください。
mail-address-taken-button = { $tenant } へ
mail-address-taken-ignore = お心当たりがない場合は、このメッセージを無視してください。何も変更されません。
mail-address-changed-subject = { $tenant }: アカウントのメールアドレスが変更されました
mail-address-changed-text = { $tenant } でこのアドレスを使っていたアカウントは、別のアドレスに変更されました。このアドレスではもうログインできません。
mail-address-changed-button = { $tenant } へ
mail-address-changed-ignore = お心当たりがない場合は、ただちにこのサービスの運営者に知らせてください。
mail-address-undo-subject = { $tenant }: アカウントのメールアドレスが変更されました
mail-address-undo-text = { $tenant } でこのアドレスを使っていたアカウントは、別のアドレスに変更されました。このアドレスではもうログインできません。お心当たりがない場合は、変更を取り消してください。アカウントのアドレスが元に戻り、アカウントの利用がすべて終了します。アカウントにパスワードがある場合は、その後、新しいパスワードを設定していただきます。
mail-address-undo-button = 確認する
mail-address-undo-ignore = ご本人による操作であれば、何もする必要はありません。
mail-changed-subject = { $tenant }: パスワードが変更されました
mail-changed-text = { $tenant } で、このアドレスのアカウントのパスワードが変更されました。ご本人による操作であれば、何もする必要はありません。
mail-changed-button = 自分ではありません
mail-changed-ignore = お心当たりがない場合は、ただちに新しいパスワードを設定し、このサービスの運営者に知らせてください。
mail-changed-first-subject = { $tenant }: アカウントにパスワードが設定されました
mail-changed-first-text = { $tenant } で、このアドレスのアカウントに初めてパスワードが設定されました。ご本人による操作であれば、何もする必要はありません。
mail-changed-first-button = 自分ではありません
mail-changed-first-ignore = お心当たりがない場合は、ただちに新しいパスワードを設定し、このサービスの運営者に知らせてください。
problem-again-title = 最初からやり直してください
problem-again-text = このページでは続けられません。長時間開いたままだったか、別のブラウザで開かれたか、アドレスから直接開かれました。アプリケーションから最初からやり直してください。
problem-back = { $app } に戻る
mismatch-sent = 送信された値
mismatch-registered = 登録された値
signout-unregistered = アプリケーションが、登録されていないアドレスに戻るよう求めました。そのため、ここからアプリケーションに戻ることはできません。
start-account = { $account } としてログインしています。
start-approvals = 他のデバイスからのリクエスト
start-text = ここはログインのためのページです。使いたいアプリケーションを開くと、ここに移動します。

## 言語、アクセス、確認されていないアプリケーション
language-name = 日本語
language = 言語
sent-resend = メッセージを再送信
register-again = 別のアドレスを使う
forgot-again = 別の名前で試す
signin-for-device = デバイスを接続します
signin-for-approvals = 他のデバイスからのリクエストに応答します
signin-for-access = アプリケーションに許可した内容を確認します
signin-for-account = アカウントを管理します
signin-for-invitation = 招待を受けます
select-signed-out = ログアウト済み
consent-identity = あなたについて
consent-api = { $api } で
consent-write = 変更できます
consent-foreign = { $app } は { $tenant } が運営するものではありません。
consent-unverified = { $app } は自ら登録されたものです。{ $tenant } では、その名前や自己紹介の内容を誰も確認しておらず、{ $tenant } が運営するものでもありません。
consent-destination = 許可すると、次の場所に進みます
consent-take-back = 許可はいつでも取り消せます：
consent-organization = このアクセスの対象となる組織：
access-title = アクセスを許可したアプリケーション
access-none = アカウントの利用を許可したアプリケーションはありません。
access-remove = { $app } のアクセスを取り消す
access-note = 取り消すと、アプリケーションはただちにアクセスできなくなり、再び許可を求める必要があります。
leaving-title = このリクエストは拒否されました
leaving-text = { $app } から処理できないリクエストが送信されました。
leaving-warning = 下のリンクは、{ $tenant } の誰も確認していないサイトにつながります。ご存じのサイトである場合のみ開き、そこでパスワードを入力しないでください。
leaving-go = { $destination } に進む

# Sign-in with Ethereum.
error-siwe-address = これは Ethereum のアドレスではありません。入力ミスがないか確認してください。大文字と小文字は区別されます。
error-siwe-chain = ここに表示されているチェーンから選んでください。
error-siwe-failed = 署名が、このメッセージに対するそのアカウントのものではありません。このメッセージにそのまま署名してください。
error-siwe-late = このメッセージは古すぎるか、すでに使われています。最初からやり直してください。
error-siwe-not-enough = ここでは署名だけでは足りません。別の方法でログインしてください。
error-siwe-unavailable = 今は署名を確認できません。数分後にもう一度試すか、別の方法でログインしてください。
login-by-wallet = ウォレットで
notice-siwe-not-linked = このアドレスに結び付いたアカウントはまだありません。これまでの方法でログインしてください。その後はこのアドレスでもログインできます。
siwe-address = アカウントのアドレス
siwe-address-hint = 0x と 40 桁です。
siwe-cancelled = ウォレットから応答がありませんでした。もう一度試すか、別の場所でメッセージに署名して、署名を貼り付けてください。
siwe-chain = チェーン
siwe-link = Ethereum でログイン
siwe-message = メッセージ
siwe-missing = このブラウザのウォレットにそのアカウントがありません。ウォレットでアカウントを選ぶか、署名を貼り付けてください。
siwe-next = 署名するメッセージを表示
siwe-other = 別のアドレスを使う
siwe-sign = ウォレットで署名
siwe-signature = 署名
siwe-submit = 署名を送信
siwe-text = ウォレットでこのメッセージに署名してください。費用はかからず、取引も送信されません。
siwe-wallet = このブラウザのウォレットを使う
siwe-needs = Ethereum のアカウントがあるウォレットが必要です。このブラウザにない場合は、アカウントのアドレスを入力し、ウォレットでメッセージに署名して、署名を貼り付けてください。

## Guests
anonymous-submit = ゲストとして続ける
guest-name = ゲスト
notice-here-as-guest = ゲストとして利用中です。アカウントを作成すると、ここにあるものを引き継げます。別のアカウントでログインすると、引き継がれません。
account-keep = アカウントを残す
keep-text = ゲストとして利用中です。このアカウントはこのブラウザでしか開けず、使わなくなると削除されます。残すには、メールアドレスを入力してください。メールのリンクからログインの方法を選べます。リンクはこのブラウザで開いてください。
done-guest-elsewhere-title = 使っていたブラウザでリンクを開いてください
done-guest-elsewhere-text = このリンクはゲストのアカウントを残すためのもので、そのアカウントはリンクを求めたブラウザにあります。そのブラウザで開いてください。心当たりがない場合は、メールを無視してください。
done-guest-deleted-title = アカウントを削除しました
done-guest-deleted-text = ログアウトしました。保存されていた情報は数分以内に削除されます。

## 協力者とアカウントの復旧
account-guardians = 復旧の協力者
account-guarding = あなたが協力する人
guardians-text = 協力者とは、あなたが信頼し、ここにアカウントを持っている人です。あなたがログインできなくなったときに、ご本人であることを協力して確認します。協力者は一人では何もできず、誰もあなたのアカウントを見ることはできません。
guardians-are-ready = { $count ->
   *[other] 有効な協力者は { $count } 人で、必要な人数は { $threshold } 人です。協力者の助けを受けられます。
}
guardians-are-not-ready = { $count ->
    [0] 有効な協力者はまだいません。協力者を招待し、必要な人数を下で保存してください。それまでは助けを受けられません。
   *[other] 有効な協力者は { $count } 人です。十分な人数が承諾したら、必要な人数を下で保存してください。それまでは助けを受けられません。
}
guardian-active = 協力者
guardian-inactive = 現在ログインできません
guardian-invited = 招待中
guardian-since = { $day } から協力者
guardian-invited-on = { $day } に招待
guardian-remove = { $email } を削除
guardian-email = 信頼する人のメールアドレス
guardian-invite = 招待
guardian-rules = 復旧の条件
guardian-threshold = 確認が必要な協力者の人数
guardian-wait = その後の待ち時間（時間）
guardian-wait-hint = { $least } 時間から { $most } 時間まで。この間、あらゆる手段でお知らせし、あなたはキャンセルできます。
guardian-rules-submit = 保存
guardians-asked = アカウントの復旧が協力者に求められています。
guardians-asked-text = お心当たりがない場合は、今すぐキャンセルしてください。十分な人数の協力者が確認した人は、新しいパスワードを設定できます。
guardians-too-few = 有効な協力者が必要な人数に足りないため、アカウントを復旧できません。
guardians-look = 確認する
guardians-confirmed = { $most } 人中 { $count } 人が確認済み
guardians-ready-at = 新しいパスワードを設定できる日時：
guarding-text = 次の人は、ログインできなくなったときに、あなたが本人であることを確認してくれると信頼しています。
guarding-none = あなたが協力者になっている人はいません。
guarding-wait = あなたの回答を待っている人がいます：
guarding-invited = { $name } から、協力者になるよう依頼されています。{ $name } がログインできなくなったときに、本人であることを確認する役割です。相手のアカウントの内容は表示されません。
guarding-accept = 承諾
guarding-decline = 辞退
guarding-leave = { $name } の協力者をやめる
guarding-asked = { $name } を名乗る人があなたの助けを求めています。依頼日時：
guarding-call = まず、あなたが知っている番号で { $name } に電話し、コードを読み上げてもらってください。メッセージに書かれたコードや、聞き覚えのない声の人が伝えるコードは決して使わないでください。
guarding-answered = 回答済みです。もう一度回答すると、最後の回答が有効になります。
guarding-code = { $name } が読み上げたコード
guarding-confirm = 本人であることを確認
guarding-refuse = 本人ではない
forgot-guardians = メールを読めないので、協力者に依頼する
recovery-ask-title = 協力者に依頼
recovery-ask-text = ユーザー名またはメールアドレスを入力してください。アカウントに協力者がいる場合、ご本人であることの確認を依頼します。
recovery-ask-submit = 依頼する
recovery-title = 協力者による復旧
recovery-text = アカウント { $account } に協力者がいる場合、その全員に依頼しました。協力者に電話し、一人ひとりに次のコードを読み上げてください：
recovery-code-text = 協力者がこのコードを入力すると、このブラウザだけが確認されます。このブラウザを使い続けてください。新しいパスワードを設定できるのはここだけです。
recovery-confirmed = { $count ->
   *[other] { $count } 人の協力者が確認しました。
}
recovery-reached = 十分な人数の協力者が確認しました。ここで新しいパスワードを設定できる日時：
recovery-come-back = 進み具合を見るには、このブラウザでこのページに戻ってください。
recovery-ready = 協力者が確認しました。新しいパスワードを設定してください。
recovery-ready-hint = すべての場所からログアウトされ、パスキー、アプリ、電話番号、バックアップコード、連携アカウント、信頼済みのブラウザは削除されます。必要なものは後で設定してください。
recovery-submit = パスワードを設定
recovery-over = 時間がたちすぎたか、キャンセルされました。もう一度依頼できます。
recovery-again = 最初からやり直す
recovery-cancel-title = 復旧をキャンセルしますか？
recovery-cancel-text = あなたのアカウントの復旧が協力者に求められています。お心当たりがない場合は、キャンセルしてください。
recovery-cancel-submit = 復旧をキャンセル
recovery-cancel-hint = アカウントは変更されません。ご自身で依頼した場合は、このページを閉じてください。
notice-guardian-invited = 招待をメールで送信しました。
notice-guardian-removed = 協力者を削除しました。
notice-guardian-rules-saved = 復旧の条件を保存しました。
notice-guardian-accepted = 協力者になりました。
notice-guardian-left = その人の協力者ではなくなりました。
notice-recovery-confirmed = あなたの確認を受け付けました。
notice-recovery-refused = 本人ではないことを記録しました。
notice-recovery-cancelled = 復旧をキャンセルしました。
error-guardian-self = 他の人のアドレスを入力してください。
error-guardian-known = このアドレスはすでに招待されています。
error-guardians-full = 協力者は上限の { $count } 人に達しています。先に一人を削除してください。
error-apps-full = アプリは上限の { $count } 個に達しています。先に一つを削除してください。
error-threshold = { $count } 人以上で、有効な協力者の人数を超えない数を選んでください。
error-wait = { $count } 時間以上、720 時間以下で選んでください。
error-recovery-code-wrong = コードが正しくありません。もう一度読み上げてもらってください。
error-recovery-over = この復旧は終了しているか、あなたが協力者になる前に始まったものです。
done-recovery-cancelled-title = 復旧をキャンセルしました
done-recovery-cancelled-text = アカウントは変更されません。パスワードを知られている可能性がある場合は、変更してください。
done-recovered-title = アカウントを取り戻しました
done-recovered-text = 新しいパスワードでログインし、パスキーと二段階認証を設定し直してください。
text-recovery = { $tenant } のあなたのアカウントは、協力者によって復旧されようとしています。お心当たりがない場合は、お送りしたメールからキャンセルするか、ログインしてください。
mail-guardian-invitation-subject = { $tenant }: { $person } から協力者の依頼
mail-guardian-invitation-text = { $person } はあなたを信頼し、{ $tenant } で協力者になるよう依頼しています。{ $person } がログインできなくなったときに、本人であることを確認する役割です。このアドレスのアカウントでログインするか、アカウントを作成して、回答してください。回答の期限は { $duration }です。
mail-guardian-invitation-button = 回答する
mail-guardian-invitation-ignore = { $person } をご存じない場合は、このメッセージを無視してください。
mail-guardian-accepted-subject = { $tenant }: { $person } が協力者になりました
mail-guardian-accepted-text = { $person } が、{ $tenant } のあなたのアカウントの協力者になることを承諾しました。
mail-guardian-accepted-button = 協力者を見る
mail-guardian-accepted-ignore = 誰も招待していない場合は、協力者を削除し、パスワードを変更してください。
mail-guardian-left-subject = { $tenant }: { $person } は協力者ではありません
mail-guardian-left-text = { $person } が辞退したか、{ $tenant } のあなたのアカウントの協力者ではなくなりました。まだ十分な人数がいるか確認してください。
mail-guardian-left-button = 協力者を見る
mail-guardian-left-ignore = 他に何もする必要はありません。
mail-guardian-rules-subject = { $tenant }: 協力者による復旧の条件が変更されました
mail-guardian-rules-text = 確認が必要な協力者の人数、またはその後に { $tenant } のアカウントが待つ時間が変更されました。
mail-guardian-rules-button = 協力者を見る
mail-guardian-rules-ignore = お心当たりがない場合は、元に戻し、新しいパスワードを設定してください。
mail-recovery-asked-subject = { $tenant }: { $person } があなたの助けを必要としているかもしれません
mail-recovery-asked-text = { $person } を名乗る人が { $tenant } にログインできなくなっています。まず、あなたが知っている番号で { $person } に電話し、コードを読み上げてもらってください。メッセージに書かれたコードは決して使わないでください。その後、ログインしてコードを入力してください。
mail-recovery-asked-button = 回答する
mail-recovery-asked-ignore = { $person } と連絡が取れない場合は、何もしないでください。回答しなければ、何も変わりません。
mail-recovery-opened-subject = { $tenant }: アカウントの復旧が協力者に求められています
mail-recovery-opened-text = { $tenant } のあなたのアカウントの復旧が協力者に求められました。十分な人数が確認し、待ち時間が終わると、依頼した人は新しいパスワードを設定できます。お心当たりがない場合は、ここでキャンセルしてください。
mail-recovery-opened-button = 復旧をキャンセル
mail-recovery-opened-ignore = ご本人による操作であれば、キャンセルする必要はありません。協力者にコードを読み上げてください。
mail-recovery-confirmed-subject = { $tenant }: 協力者がアカウントの復旧を確認しました
mail-recovery-confirmed-text = { $person } が、{ $tenant } のアカウントの復旧を求めているのはあなたであると確認しました。お心当たりがない場合は、ここでキャンセルしてください。
mail-recovery-confirmed-button = 復旧をキャンセル
mail-recovery-confirmed-ignore = ご本人による操作であれば、何もする必要はありません。
mail-recovery-refused-subject = { $tenant }: 協力者がアカウントの復旧を拒否しました
mail-recovery-refused-text = { $person } は、{ $tenant } のアカウントの復旧を求めているのはあなたではないと回答しました。お心当たりがない場合は、ここでキャンセルしてください。
mail-recovery-refused-button = 復旧をキャンセル
mail-recovery-refused-ignore = ご本人による操作であれば、{ $person } に電話してください。
mail-recovery-reached-subject = { $tenant }: アカウントが復旧されます
mail-recovery-reached-text = 十分な人数の協力者が確認しました。依頼したブラウザは、{ $duration }の待ち時間の後、{ $tenant } のアカウントに新しいパスワードを設定できます。お心当たりがない場合は、その前にキャンセルしてください。
mail-recovery-reached-button = 復旧をキャンセル
mail-recovery-reached-ignore = ご本人による操作であれば、依頼したブラウザでページに戻ってください。
mail-recovered-subject = { $tenant }: アカウントが復旧されました
mail-recovered-text = 協力者が確認し、{ $tenant } のアカウントに新しいパスワードが設定されました。すべての場所からログアウトされ、アカウントを開くことができたその他の手段はすべて削除されました。
mail-recovered-button = ログイン
mail-recovered-ignore = お心当たりがない場合は、ただちに新しいパスワードを請求し、{ $tenant } に知らせてください。

# Support staff who act for people
acting-label = サポートによるアクセス
acting-text = { $account } として操作しています。
acting-end = 終了する
acting-account = アカウントへ
account-support = サポートによるアクセス
support-about = お困りのときは、サポート担当者が限られた時間だけあなたのアカウントで操作できます。担当者はあなたと同じ画面を見ますが、ログインの方法は変更できません。ここでいつでも終了できます。
support-none = サポート担当者があなたのアカウントで操作したことはありません。
support-to-approvals = サポートの依頼に回答する
support-reason = 理由：
support-asks = サポートの { $person } が、あなたのアカウントでの操作を求めています
support-what = 担当者はアプリケーションであなたと同じ画面を見ます。パスワード、メールアドレス、ログインの方法は変更できず、あなたの名前で許可することもできません。いつでも終了できます。
support-end = アクセスを終了する
support-waiting = あなたの回答待ち
support-ready = 承認済み・未開始
support-active = 操作中
support-refused = 拒否済み
support-expired = 期限内に使われませんでした
support-ended = 終了
notice-support-ended = サポート担当者はもうあなたのアカウントで操作できません。
login-impersonated = サポート担当者があなたに代わって操作を始めました
impersonate-title = 利用者に代わって操作する
impersonate-text = { $account } のアカウントで操作しようとしています。
impersonate-hint = 操作はすべてあなたの名前（{ $account }）とともに記録されます。あなた自身のログインは保たれ、終了すると元に戻ります。
impersonate-submit = 開始する
done-impersonation-link-title = このリンクはここでは使えません
done-impersonation-link-text = リンクは一度だけ、5分間、依頼した本人がログインしているブラウザでのみ使えます。新しいリンクを依頼してください。
mail-impersonation-asked-subject = { $tenant }: サポートがあなたのアカウントでの操作を求めています
mail-impersonation-asked-text = { $tenant } のサポートの { $person } が、限られた時間だけあなたのアカウントで操作することを求めています。ログインして理由を確認し、承認または拒否してください。
mail-impersonation-asked-button = 依頼を見る
mail-impersonation-asked-ignore = 何もしなければ、誰もアクセスできません。
mail-impersonation-started-subject = { $tenant }: サポートがあなたのアカウントで操作しています
mail-impersonation-started-text = { $tenant } のサポートの { $person } が、限られた時間だけあなたのアカウントで操作を始めました。理由の確認と終了は、アカウントのページでできます。
mail-impersonation-started-button = 確認または終了する
mail-impersonation-started-ignore = サポートが必要ない場合は、終了してお知らせください。
mail-impersonation-ended-subject = { $tenant }: サポートがあなたのアカウントで操作しました
mail-impersonation-ended-text = { $tenant } のサポートの { $person } が、あなたのアカウントで操作しました。操作は終了しています。理由はアカウントのページで確認できます。
mail-impersonation-ended-button = 確認する
mail-impersonation-ended-ignore = サポートが必要なかった場合は、お知らせください。
support-minutes = { $duration }。

## Recovery by a proven factor

signin-for-recovery = まず本人であることを確認します。そのあと新しいパスワードを設定します。
recover-others = または、別の方法でご本人であることを確認してください
recover-sms = SMS で届くコードを使う
recover-passkey = パスキーを使う
recover-start-again = 他の方法に戻る
error-phone-alone-not-enough = このアカウントには二段階認証が必要なため、SMS で届いたコードだけでは足りません。別の方法を使ってください。
text-password-changed = { $tenant } のあなたのアカウントのパスワードが変更されました。お心当たりがない場合は、ログイン画面のパスワード再設定からすぐに新しいパスワードを設定してください。

## Registration by a mailed code

register-by-code = パスワードなしで、メールのコードを使う
register-code-sent = { $email } にメッセージを送信しました。そこに書かれたコードをここに入力してください。すでにアカウントをお持ちの場合は、メッセージの案内に従ってください。
register-name-text = { $email } を確認しました。お名前を入力してください。
mail-registration-code-subject = { $tenant }: アカウント作成用のコード
mail-registration-code-text = { $tenant } のアカウントを作成するためのコードです。コードを求めたページに入力し、誰にも教えないでください。{ $duration }有効で、一度だけ使えます。
mail-registration-code-button = コード
mail-registration-code-ignore = コードを求めていない場合は、このメッセージを無視してください。コードがなければアカウントは作成されません。

## Preview of branding and texts
preview-title = 外観のプレビュー
preview-text = 保存する前にページとメールの外観を確認できます。ここに入力した内容は保存されません。
preview-page = ページまたはメール
preview-scheme = 配色
preview-light = ライト
preview-dark = ダーク
preview-width = 画面
preview-wide = コンピューター
preview-phone = スマートフォン
preview-organization = 組織（短い名前）
preview-accent = アクセントカラー
preview-radius = 角の丸み（ピクセル）
preview-font = 書体
preview-font-system = システムの書体
preview-font-humanist = ヒューマニスト
preview-font-geometric = ジオメトリック
preview-font-rounded = 丸みのある書体
preview-font-serif = セリフ・明朝
preview-font-monospace = 等幅
preview-logo = ロゴのアドレス
preview-sender = メールの差出人
preview-texts = この言語の独自の文言
preview-texts-hint = 1行に1つ、キー、等号、文言の順に入力します。
preview-submit = 表示
preview-frame = プレビュー
preview-mark = これはプレビューです。この中の操作は機能しません。
