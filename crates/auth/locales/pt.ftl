### Português.

## Moldura
footer = Protegido por { $tenant }
title-error = Erro:
legal-policy = Política de privacidade
legal-terms = Termos de serviço
continue = Continuar
continue-app = Continuar para { $app }
back-to-signin = Voltar ao início de sessão

## Iniciar sessão
signin-title = Iniciar sessão
signin-to = para continuar em { $app }
signin-submit = Iniciar sessão
sso-lead = Continue com { $name }. As pessoas da sua organização iniciam sessão lá.
sso-alone = Nenhuma outra forma de iniciar sessão é aceita aqui para a sua organização.
sso-continue = Continuar
sso-address = E-mail de trabalho
sso-link = Iniciar sessão com autenticação única
social-title = Outras formas de iniciar sessão
social-continue = Continuar com { $name }
email-otp-link = Receber um código por e-mail
email-otp-address = Endereço de e-mail
email-otp-send = Enviar o código
email-otp-sent = Se houver aqui uma conta com o endereço { $address }, foi enviado um código para ele.
email-otp-label = Código recebido por e-mail
email-otp-resend = Enviar um novo código
email-otp-other = Usar outro endereço
magic-link-link = Receber por e-mail um link para entrar
magic-link-send = Enviar o link
magic-link-sent = Se houver aqui uma conta com o endereço { $address }, enviamos um link para ele. Abra-o neste navegador.
magic-link-resend = Enviar um novo link
magic-link-title = Iniciar sessão
magic-link-text = Iniciar sessão como { $email }?
sms-link = Receber um código no telefone
sms-number = Número de telefone
sms-number-hint = Com o código do país, por exemplo +55 11 2345-6789.
sms-send = Enviar o código
sms-second = Enviar um código para o meu telefone
sms-sent = Se houver aqui uma conta com o número { $number }, enviamos um código para ele.
sms-sent-second = Enviamos um código para o seu telefone, cujo número termina em { $end }.
sms-label = Código recebido por SMS
sms-resend = Enviar um novo código
sms-other = Usar outro número
signin-forgot = Esqueceu a senha?
signin-narrowed = Aqui só são aceitas as formas de iniciar sessão desta página.
signin-none-accepted = Nenhuma forma de iniciar sessão aceita aqui está disponível. Fale com um administrador.
passkey-or = ou
passkey-submit = Iniciar sessão com uma chave de acesso
passkey-second = Usar uma chave de acesso ou de segurança
passkey-cancelled = Não foi usada nenhuma chave de acesso. Tente novamente ou inicie sessão de outra forma.
passkey-failed = Não foi possível usar a chave de acesso aqui. Tente novamente ou inicie sessão de outra forma.
passkey-not-made = Não foi criada nenhuma chave de acesso. Tente novamente ou escolha outra forma.
passkey-not-able = Este dispositivo não consegue criar uma chave de acesso que funcione aqui. Escolha outra forma ou use outro dispositivo.
passkey-needs-script = As chaves de acesso e de segurança precisam de um navegador com JavaScript.
signin-register-ask = Primeira vez aqui?
signin-register = Criar uma conta
username-label = E-mail ou nome de usuário
email-label = E-mail
name-label = Nome completo
password-label = Senha
password-show = Mostrar a senha
strength-label = Força da senha
strength-weak = Fraca
strength-fair = Razoável
strength-good = Boa
strength-strong = Forte
password-hint = { $count ->
    [one] Pelo menos { $count } caractere.
   *[other] Pelo menos { $count } caracteres. Várias palavras sem relação entre si funcionam bem.
}

## Verificação em duas etapas
second-title = Confirme que é você
totp-label = Código do seu aplicativo de autenticação
totp-submit = Confirmar
backup-code-more = Usar um código de reserva
backup-code-label = Código de reserva
trust-browser = { $count ->
    [one] Não perguntar novamente neste navegador durante { $count } dia
   *[other] Não perguntar novamente neste navegador durante { $count } dias
}
set-up-passkey-why = { $tenant } pede mais do que você comprovou até agora. Com uma chave de acesso, você passa a iniciar sessão com a impressão digital, o rosto ou o PIN.
set-up-totp-why = { $tenant } pede uma segunda prova de que é você. Um aplicativo de autenticação no seu telefone gera um novo código a cada 30 segundos.
set-up-totp-begin = Configurar um aplicativo
set-up-totp-scan = Leia esta imagem com o aplicativo.
set-up-totp-picture = Código QR com a chave para o seu aplicativo
set-up-totp-key = Não consegue ler a imagem? Digite esta chave no aplicativo:
set-up-totp-code = Código mostrado pelo aplicativo
set-up-totp-submit = Ativar

## Registro
register-title = Crie a sua conta
register-submit = Criar conta
register-signin-ask = Já tem uma conta?
register-signin = Iniciar sessão
sent-title = Verifique a sua caixa de entrada
sent-hint = Não chegou nada depois de alguns minutos? Procure na pasta de spam ou tente novamente.
register-sent-text = Enviamos uma mensagem para { $email }. Abra o link que ela contém para concluir a criação da sua conta.
prove-sent-text = Enviamos uma mensagem para { $email }. Abra o link que ela contém para confirmar que este é o seu endereço; depois você poderá continuar.

## Confirmar um endereço
verify-title = Confirme o seu e-mail
verify-text = { $email } é o seu endereço?
verify-choose = Escolha como iniciar sessão como { $email }.
verify-submit = Sim, confirmar
verify-passkey = Criar uma chave de acesso em vez disso
verify-ignore = Se você não pediu isto, feche esta página.

## Juntar-se a um espaço
join-title = Juntar-se a { $tenant }?
join-text = Você já tem uma conta: { $account }. Com ela, você pode tornar-se membro de { $tenant }.
join-submit = Juntar-se como { $account }
join-ignore = Se não quiser juntar-se, feche esta página.
invite-title = Juntar-se a { $organization }?
invite-text = { $email } foi convidado para { $organization } em { $tenant }.
invite-choose = Você recebe uma conta para este endereço. Escolha como iniciar sessão.
invite-other = A sessão atual é de outra pessoa. Inicie sessão como { $email } para aceitar.
invite-switch = Iniciar sessão como { $email }
invite-submit = Aceitar o convite
invite-ignore = Se não quiser, feche esta página. Nada acontece.

## Central da conta
account-menu = A sua conta
account-menu-open = Menu
account-skip = Pular o menu
account-overview = A sua conta
account-profile = Perfil
account-password = Senha
account-passkeys = Chaves de acesso e de segurança
account-identities = Contas conectadas
account-second-factors = Verificação em duas etapas
account-backup-codes = Códigos de reserva
account-accounts = Contas neste navegador
account-sessions = Sessões ativas
account-login-history = Histórico de acessos
account-delegations = Em seu nome
account-organizations = Organizações
account-sso = Autenticação única
account-data = Os seus dados
account-proven = confirmado
account-is-set = definida
account-is-not-set = não definida
account-apps = Aplicativos de autenticação
account-count = { $count ->
    [0] nenhum
   *[other] { $count }
}
account-save = Salvar
account-profile-text = Os aplicativos a que você permite ver o seu perfil veem o que escrever aqui.
account-email = Endereço de e-mail
account-email-text = O novo endereço passa a valer quando você abrir o link que enviaremos para ele. Até lá, o atual permanece.
account-phone = Número de telefone
account-phone-text = Enviamos um código para o número para confirmar que ele é seu. A partir daí, você pode iniciar sessão com códigos enviados para ele e usá-los quando for pedida uma segunda prova.
account-phone-label = Novo número de telefone
account-phone-sent = Enviamos um código para { $number }. O número passa a valer quando você digitar o código.
new-address-label = Novo endereço de e-mail
new-address-mail = Enviar-me um link
new-address-title = Alterar o seu endereço de e-mail
new-address-text = Quer que { $email } seja o endereço da sua conta?
account-password-first = Você ainda não tem uma senha. Com uma, você pode iniciar sessão em qualquer navegador.
account-password-text = Ao salvar uma nova senha, as suas sessões em todos os outros lugares são encerradas.
given-name-label = Nome
family-name-label = Sobrenome
nickname-label = Apelido
passkeys-text = Com uma chave de acesso, você inicia sessão com a impressão digital, o rosto ou o PIN em vez de uma senha. Ela só funciona neste endereço, por isso ninguém consegue arrancá-la de você.
passkeys-none = Você ainda não tem nenhuma chave de acesso.
passkeys-add = Adicionar uma chave de acesso
security-keys-add = Adicionar uma chave de segurança
security-keys-text = Uma chave de segurança é um pequeno dispositivo em que você toca como segunda etapa ao iniciar sessão.
passkeys-security-key = Chave de segurança, depois da senha
passkeys-synced = Copiada para os seus outros dispositivos
passkeys-bound = Apenas em um dispositivo
passkeys-elsewhere = Funciona em { $host }, não aqui.
passkeys-present = Este dispositivo já tem uma chave de acesso da sua conta.
passkeys-not-made = Nenhuma chave de acesso foi adicionada. Tente novamente quando quiser.
passkeys-not-able = Este dispositivo não consegue criar uma chave de acesso que funcione aqui. Use outro dispositivo ou uma chave de segurança.
identities-text = Você pode iniciar sessão aqui com contas que tem em outros lugares. Cada uma abre esta conta, tal como as suas outras formas de iniciar sessão.
identities-none = Nenhuma conta está conectada.
identities-add = Conectar uma conta
identities-connect = Conectar { $name }
second-factors-text = Com um aplicativo de autenticação no seu telefone, uma primeira etapa sozinha, como uma senha, não basta para iniciar sessão como você.
second-factors-add = Adicionar um aplicativo
credential-name = Nome
credential-rename = Renomear
credential-remove = Remover
credential-added = Adicionado em { $day }
credential-used = usado pela última vez em { $day }
credential-ends = até { $day }
trusted-browsers = Navegadores em que não se pergunta
trusted-browsers-forget = Voltar a perguntar em todos eles
backup-codes-text = Um código de reserva permite que você entre uma vez quando o telefone não estiver à mão. Guarde os códigos em papel, longe do telefone.
backup-codes-left = { $count ->
    [0] Você não tem nenhum.
    [one] Resta { $count } código.
   *[other] Restam { $count } códigos.
}
backup-codes-make = Gerar novos códigos
backup-codes-note = Novos códigos anulam os antigos.
backup-codes-once = Imprima ou anote estes códigos agora. Eles não serão mostrados novamente.
backup-codes-copy = Copiar os códigos
backup-codes-copied = Os códigos foram copiados.
backup-codes-print = Imprimir
backup-codes-noted = Guardei os códigos
session-here = este navegador
session-unknown = Navegador desconhecido
session-since = Sessão iniciada
session-seen = última atividade
session-end = Encerrar essa sessão
sessions-end-others = Encerrar todas as outras sessões
accounts-text = Você pode entrar aqui com várias contas e alternar entre elas. Cada uma permanece conectada até que você saia dela.
accounts-present = em uso
accounts-use = Mudar para esta conta
accounts-end = Sair
accounts-add = Adicionar outra conta
accounts-full = Este navegador não comporta mais contas. Adicionar uma encerra a sessão da que está há mais tempo sem uso.
accounts-end-all = Sair de todas as contas
login-history-text = Quando e de onde alguém acessou a sua conta, e o que falhou, nos últimos três meses.
login-history-none = Ninguém iniciou sessão desde que este registro começou.
login-history-not-you = Algum destes acessos não foi seu?
login-success = Sessão iniciada
login-failure = Falhou
login-refused = Recusado
login-disowned = Não foi você
login-when = Quando
login-with = Com
login-from = De onde
login-by-password = com uma senha
login-by-code = com um código
login-by-key = com uma chave de acesso ou de segurança
login-by-organization = pela sua organização
login-by-provider = por outro provedor
login-by-trusted-browser = em um navegador confiável
login-new-device = Você ainda não tinha iniciado sessão com este navegador.
login-new-network = Você ainda não tinha iniciado sessão a partir desta rede.
login-unusual-hour = Você não costuma iniciar sessão a esta hora do dia.
login-impossible-travel = Pouco antes, você entrou em um lugar longe demais para ter viajado de lá.
login-many-failures = Várias tentativas de iniciar sessão tinham falhado em um dia.
login-disposable-address = O seu endereço é de um provedor de e-mails descartáveis.
undo-address-title = Foi você?
undo-address-text = A conta que tinha o endereço { $email } agora tem outro.
undo-address-yes = Se foi você quem o alterou, não há nada a fazer: feche esta página.
undo-address-submit = Não, quero o meu endereço de volta
undo-address-hint = A conta volta então a ter este endereço. Encerramos tudo o que estiver em andamento nela, em todos os dispositivos, e retiramos o que foi adicionado por último. Se ela tiver senha, você escolhe uma nova.
was-this-you-title = Foi você?
was-this-you-entered = Alguém acessou a sua conta.
was-this-you-refused = Alguém tinha o necessário para entrar, por exemplo a sua senha, e nós não permitimos a entrada, porque o acesso era incomum demais.
was-this-you-yes = Se foi você, não há nada a fazer: feche esta página.
was-this-you-no = Não, não fui eu
was-this-you-hint = Nesse caso, encerramos tudo o que estiver em andamento na sua conta, em todos os dispositivos. Se ela tiver senha, você escolhe uma nova.
delegations-text = Aplicações e agentes que agem por você em outros serviços. O que você encerrar aqui termina de imediato, junto com tudo o que resultou disso.
delegations-none = Nada age por você neste momento.
delegation-purpose = Para quê:
delegation-end = Encerrar o que { $app } faz por você
organizations-none = Você não pertence a nenhuma organização aqui. Os convites aparecem nesta página.
organization-roles = As suas funções:
organization-leave = Sair de { $organization }
organization-sso = Testar a autenticação única de { $organization }
account-sso-text = Teste se as pessoas das suas organizações podem ser levadas ao provedor delas. Um teste lê, passo a passo, o que o provedor publica. Não inicia a sessão de ninguém nem altera nenhuma configuração.
sso-none = Nenhuma das suas organizações tem ainda um provedor.
sso-connection-on = ativada
sso-connection-off = desativada
sso-test = Testar { $name }
sso-test-usable = As pessoas podem ser levadas a este provedor.
sso-test-unusable = Ainda não é possível iniciar sessão através deste provedor.
sso-test-cut = Os passos depois do que falhou foram omitidos. Corrija esse passo e teste de novo.
sso-test-first-sign-in = Só um início de sessão mostra se o provedor aceita este cliente e o seu segredo, e o que diz das pessoas. Quando a conexão estiver ativada, abra a página de início de sessão numa janela privada e escolha a autenticação única, com um endereço da sua organização.
sso-redirect-uri = URI de redirecionamento que deve estar registrado no provedor:
sso-backchannel-uri = URI de fim de sessão back-channel, se o provedor o pedir:
sso-outcome-passed = Passou
sso-outcome-warning = Aviso
sso-outcome-failed = Falhou
sso-step-discovery = Descrição do provedor
sso-step-issuer = Nome do provedor
sso-step-endpoints = Endereços
sso-step-keys = Chaves
sso-step-client-auth = Autenticação deste cliente
sso-step-id-token = Assinatura dos ID tokens
sso-step-pkce = Proteção dos códigos (PKCE)
sso-found-described = O provedor descreve-se em { $value }.
sso-found-unreachable = Não foi possível acessar { $value }. Verifique se o emissor (issuer) da conexão está certo e se o provedor é acessível a partir da internet.
sso-found-refused = O provedor respondeu a { $value } com um erro. Procure o emissor (issuer) certo nas configurações do provedor.
sso-found-no-document = O que está em { $value } não descreve um provedor. Procure o emissor (issuer) certo nas configurações do provedor.
sso-found-same-issuer = O provedor chama-se como diz a conexão.
sso-found-other-issuer = O provedor chama-se “{ $value }”. Defina exatamente isso como emissor (issuer) da conexão.
sso-found-endpoints = Os endereços de início de sessão, tokens e chaves podem ser chamados.
sso-found-endpoint-missing = Falta { $value } na descrição do provedor. Peça ao administrador do provedor que o publique.
sso-found-endpoint-out-of-reach = O endereço em { $value } não pode ser chamado daqui: tem de ser público e começar por https. Peça ao administrador do provedor que o corrija.
sso-found-keys = As chaves em { $value } são compreendidas.
sso-found-no-keys = Não foi possível ler chaves utilizáveis em { $value }. Peça ao administrador do provedor que publique lá um conjunto de chaves (JWKS).
sso-found-client-auth = O provedor aceita { $value }, como está definido na conexão.
sso-found-other-client-auth = O provedor não aceita a autenticação de cliente que está definida. Defina uma destas: { $value }.
sso-found-id-tokens = O provedor assina os ID tokens com { $value }.
sso-found-other-id-tokens = O provedor não assina os ID tokens de nenhuma forma aceita aqui. Defina lá uma destas: { $value }.
sso-found-pkce = O provedor verifica os códigos com S256.
sso-found-pkce-unsaid = O provedor não diz que suporta PKCE com S256. O início de sessão funciona mesmo assim, e o desafio é enviado de qualquer forma. Ative o PKCE lá, se puder.
invitation-to = Convite para { $organization }
invitation-join = Entrar em { $organization }
invitation-decline = Recusar
data-text = Baixe o que guardamos aqui sobre você: o seu perfil, as suas formas de iniciar sessão sem os segredos, as suas sessões, o que permitiu a aplicativos e as suas organizações. O arquivo está em JSON, que outros programas conseguem ler.
data-submit = Baixar
account-deletion = Excluir a sua conta
deletion-text = As suas sessões são encerradas imediatamente em todos os lugares. { $count ->
    [0] A sua conta desaparece então, com tudo o que contém.
    [one] Durante um dia você pode manter a conta: inicie sessão aqui e escolha “Manter a minha conta”. Só iniciar sessão não basta. Depois disso ela desaparece com tudo o que contém.
   *[other] Durante { $count } dias você pode manter a conta: inicie sessão aqui e escolha “Manter a minha conta”. Só iniciar sessão não basta. Depois disso ela desaparece com tudo o que contém.
}
deletion-sure = Quero excluir a minha conta.
deletion-submit = Excluir a minha conta
deletion-due = A sua conta será excluída em { $day }.
deletion-keep = Manter a minha conta

## Senha esquecida
forgot-title = Redefina a sua senha
forgot-text = Diga-nos quem é você e enviaremos por e-mail um link para escolher uma nova senha.
forgot-submit = Enviar link
forgot-sent-text = Se houver uma conta correspondente, um link para escolher uma nova senha foi enviado para o endereço de e-mail dela.
reset-title = Escolha uma nova senha
reset-text = para { $account }
new-password-label = Nova senha
reset-submit = Salvar senha

## Consentimento
consent-title = { $app } quer acessar a sua conta
consent-switch = Não é você?
consent-allow = Permitir
consent-deny = Não permitir
consent-note = Só permita isto se confiar em { $app }.
consent-home = Sobre este aplicativo
scope-openid = Saber quem você é quando inicia sessão
scope-profile = Ver o seu perfil, como o nome e a foto
scope-email = Ver o seu endereço de e-mail
scope-address = Ver o seu endereço postal
scope-phone = Ver o seu número de telefone
scope-offline-access = Manter este acesso enquanto você estiver ausente
claim-name = Ver o seu nome completo
claim-given-name = Ver o seu nome
claim-family-name = Ver o seu sobrenome
claim-middle-name = Ver o seu nome do meio
claim-nickname = Ver o seu apelido
claim-preferred-username = Ver o seu nome de usuário
claim-profile = Ver o endereço da sua página de perfil
claim-picture = Ver a sua foto
claim-website = Ver o endereço do seu site
claim-gender = Ver o seu gênero
claim-birthdate = Ver a sua data de nascimento
claim-zoneinfo = Ver o seu fuso horário
claim-locale = Ver o seu idioma
claim-updated-at = Ver quando o seu perfil foi alterado pela última vez
claim-email-verified = Ver se o seu endereço de e-mail está confirmado
claim-phone-number-verified = Ver se o seu número de telefone está confirmado

## Escolher uma conta
select-title = Escolha uma conta
select-other = Usar outra conta
organization-title = Escolha uma organização
organization-legend = As suas organizações
organization-submit = Continuar
organization-deny = Cancelar
organization-none = A sua conta ainda não pertence a nenhuma organização. Peça a um administrador da sua organização que o adicione ou use outra conta.
organization-none-named = A sua conta não pertence à organização que o aplicativo pede. Use outra conta ou volte.

## What people are asked for
field-optional = (opcional)
field-choose = Escolher
complete-title = Antes de continuar
complete-text = { $tenant } precisa disto de você.
complete-later = Agora não
terms-accept = Aceito:
terms-submit = Aceitar
terms-none = Você ainda não aceitou nenhum documento.
terms-version = Versão:
terms-accepted = Aceito em:
account-terms = Condições
account-terms-text = Os documentos que você aceitou aqui, e quando.
account-details = Os seus dados pessoais
account-details-text = O que { $tenant } pede a você.

## Dispositivos e aprovações
device-title = Conectar um dispositivo
device-text = Digite o código mostrado pelo seu dispositivo.
device-code-label = Código
device-submit = Continuar
device-warning = Só continue se você mesmo iniciou isto, em um dispositivo que está à sua frente. Ninguém que ofereça ajuda precisa de um código seu.
approvals-title = Aguardando a sua aprovação
approvals-none = Não há nada aguardando você.
approvals-warning = Só permita o que você mesmo iniciou, e só se tudo aqui corresponder ao que vê lá. Se alguém o enviou para cá, não permita: essa pessoa entraria na sua conta.
approvals-code = O seu dispositivo deve mostrar este código:
approvals-message = O outro lado deve mostrar esta mensagem:
approvals-expires = Expira em { $duration }.

## Encerrar sessão
signout-title = Encerrar sessão?
signout-app = { $app } pede para encerrar a sua sessão.
signout-text = A sua sessão em { $tenant } será encerrada neste navegador.
signout-choose = De qual conta você quer sair neste navegador?
signout-submit = Encerrar sessão
signout-stay = Para manter a sessão, feche esta página.
signedout-title = Sessão encerrada
signedout-text = Você já pode fechar esta janela com segurança.
signedout-others = Outras contas ainda estão conectadas neste navegador.
signedout-others-link = Mostrar contas

## De volta ao aplicativo
formpost-title = Quase lá
formpost-text = Você está sendo levado de volta ao aplicativo.

## Erros e avisos de formulários
error-wrong-credentials = O nome de usuário ou a senha não estão corretos. Tente novamente.
error-too-many-attempts = Tentativas demais. Tente novamente daqui a { $duration }.
error-unavailable-for = O serviço não está acessível no momento. Tente novamente daqui a { $duration }.
error-locked-out = Tentativas demais. Espere { $duration } ou redefina a sua senha.
error-code-wrong = Esse código está errado, é antigo demais ou já foi usado. Espere pelo próximo e tente novamente.
error-app-lost = A chave do seu aplicativo de autenticação foi perdida aqui, e os códigos dele não funcionam mais. Inicie sessão de outra forma, por exemplo com um código de reserva; depois configure o aplicativo de novo na sua conta e remova o antigo. Se não houver outra forma, fale com os responsáveis por este serviço.
error-backup-code-wrong = Esse código de reserva está errado ou já foi usado. Verifique como está escrito ou use outro.
error-mail-code-wrong = Esse código está errado, é antigo demais ou já foi usado. Veja o e-mail mais recente ou peça um novo código.
error-sign-in-unusual = Este acesso parece incomum demais para ser permitido. Use um navegador em que você já tenha iniciado sessão, uma chave de acesso, ou escolha uma nova senha. Enviamos um e-mail para você.
error-sign-in-unusual-untold = Este acesso parece incomum demais para ser permitido. Use um navegador em que você já tenha iniciado sessão ou uma chave de acesso.
error-way-not-accepted = Esta forma de iniciar sessão não é aceita aqui.
error-sign-in-refused = Você não pode iniciar sessão aqui agora. Fale com a organização cujo aplicativo quer usar.
error-sign-in-unavailable = Não é possível iniciar sessão neste momento. Tente novamente daqui a pouco.
error-second-factor-out-of-reach = Este acesso precisa da verificação em duas etapas, e ela não está configurada na sua conta. Fale com a organização cujo aplicativo quer usar.
error-mail-code-not-enough = Um código ou link enviado por e-mail não basta para esta conta. Inicie sessão de outra forma, por exemplo com uma chave de acesso ou a sua organização.
error-mail-code-needs-password = Um código ou link enviado por e-mail não basta para esta conta, que ainda não tem senha. Escolha uma em “Esqueceu a senha?” e inicie sessão com ela.
error-text-code-wrong = Esse código está errado, é antigo demais ou já foi usado. Veja o SMS mais recente ou peça um novo código.
error-text-code-not-enough = Um código enviado por SMS não basta para esta conta. Inicie sessão com a senha, uma chave de acesso ou a sua organização.
error-provider-not-enough = O provedor que iniciou a sua sessão só vale aqui, o que não basta para mudar a forma como entra nesta conta em toda parte. Inicie sessão com a senha, uma chave de acesso ou um código enviado a você.
error-provider-alone = A sua organização só permite que inicie sessão no provedor dela, que só vale aqui. Isso não basta para esta página: fale com o administrador da sua organização.
error-phone-invalid = Digite um número de telefone com o código do país, por exemplo +55 11 2345-6789.
error-phone-same = A sua conta já tem este número.
error-email-enforced = A sua organização decide como você inicia sessão, de acordo com este endereço. Peça outro ao administrador dela.
error-phone-taken = Outra conta tem este número. Remova-o primeiro nela.
error-sso-unknown = Não há autenticação única configurada para este endereço. Inicie sessão de outra forma.
error-sso-failed = O início de sessão da sua organização não funcionou. Tente novamente ou fale com o seu administrador.
error-sso-no-member = Você iniciou sessão na sua organização, mas ela não deu a você acesso aqui. Fale com o seu administrador.
error-social-failed = Não foi possível iniciar sessão lá. Tente novamente ou inicie sessão de outra forma.
error-provider-not-fresh = Aqui é preciso iniciar sessão novamente, e a sua sessão lá é antiga demais. Inicie sessão lá outra vez ou de outra forma.
error-provider-declined = O início de sessão lá foi cancelado, ou a sua conta lá não permite usar este serviço. Tente novamente ou inicie sessão de outra forma.
error-provider-unfinished = O início de sessão lá não foi concluído: ainda falta um passo seu. Tente novamente até o fim ou inicie sessão de outra forma.
error-provider-unavailable = O início de sessão lá não está disponível no momento. Tente novamente mais tarde ou inicie sessão de outra forma.
error-social-unknown = Nenhuma conta aqui está conectada a essa ainda. Inicie sessão de outra forma e depois conecte-a na sua conta.
error-social-no-account = Não há nenhuma conta com o seu endereço e não é possível criar novas contas aqui.
error-name-invalid = Escreva cada nome em uma linha de no máximo 200 caracteres.
error-credential-name = Escreva o nome em uma linha de no máximo 60 caracteres.
error-second-factor-needed = Aqui é necessária a verificação em duas etapas. Adicione outro aplicativo antes de remover este.
error-second-factor-missing = Os códigos de reserva substituem a segunda etapa da verificação. Configure primeiro a verificação em duas etapas.
error-organization-owned = Esta organização é sua. Primeiro torne outro membro o proprietário.
error-sso-tested = Esta conexão acabou de ser testada. Espere dez segundos e teste-a de novo.
error-deletion-refused = A sua conta não pode ser excluída agora. Se uma organização for sua, primeiro torne outro membro o proprietário.
error-deletion-unsure = Marque a caixa para excluir a sua conta.
error-last-operator = Você é a última pessoa que pode administrar este serviço. Primeiro dê os mesmos direitos a outro membro.
error-username-missing = Digite o seu e-mail ou nome de usuário.
error-captcha-missing = Confirme que você não é um robô.
error-captcha-wrong = Essa verificação falhou ou demorou demais. Tente novamente.
error-captcha-unknown = A verificação contra robôs não pode ser feita agora. Tente novamente daqui a pouco.
captcha-working = Verificando se você não é um robô…
captcha-done = Verificado: você não é um robô.
captcha-needs-script = Esta etapa precisa de JavaScript, que impede a entrada de robôs. Ative-o e recarregue a página.
captcha-failed = A verificação contra robôs não pôde ser carregada. Se algo a bloquear, como um bloqueador de anúncios, permita-a e recarregue a página.
error-password-missing = Digite a sua senha.
error-answers-incomplete = Falta algo ou não está certo. Verifique o que está marcado.
error-terms-not-accepted = Aceite isto para continuar.
error-answer-missing = Preencha isto.
error-answer-invalid = Isto não pode ser usado aqui. Verifique o que escreveu.
error-answer-too-short = { $count ->
    [one] Use pelo menos um caractere.
   *[other] Use pelo menos { $count } caracteres.
}
error-answer-too-long = { $count ->
    [one] Use no máximo um caractere.
   *[other] Use no máximo { $count } caracteres.
}
error-name-missing = Digite o seu nome.
error-email-invalid = Digite um endereço de e-mail, como voce@example.com.
error-email-same = A sua conta já tem este endereço.
error-registration-refused = Você não pode registrar-se aqui com este endereço. Use outro ou fale com a organização cujo aplicativo quer usar.
error-registration-unavailable = O registro não é possível neste momento. Tente novamente daqui a pouco.
error-password-too-short = { $count ->
    [one] A senha precisa de pelo menos { $count } caractere.
   *[other] A senha precisa de pelo menos { $count } caracteres.
}
error-password-too-long = { $count ->
    [one] A senha pode ter no máximo { $count } caractere.
   *[other] A senha pode ter no máximo { $count } caracteres.
}
error-password-too-common = Esta senha é fácil de adivinhar. Escolha outra.
error-password-breached = Esta senha é conhecida por causa de um vazamento em outro site. Escolha outra.
error-password-unchecked = Esta senha não pode ser verificada neste momento. Tente novamente daqui a pouco.
error-passkey-unknown = Esta chave de acesso não é conhecida aqui. Pode ter sido removida da sua conta: inicie sessão de outra forma.
error-passkey-late = Demorou demais. Tente novamente.
error-passkey-locked = Desbloqueie a sua chave de acesso quando o dispositivo pedir, com a impressão digital, o rosto ou o PIN.
error-passkey-failed = Não foi possível verificar a chave de acesso. Tente novamente ou inicie sessão de outra forma.
error-last-credential = Esta é a última forma de iniciar sessão na sua conta. Primeiro adicione outra.
error-passkey-taken = Não foi possível adicionar esta chave de acesso: já está em uso ou você tem chaves demais. Remova uma que já não usa.
error-user-code = Este código não está correto ou expirou. Olhe novamente para o seu dispositivo.
notice-sign-in-again = Inicie sessão novamente para continuar.
notice-one-more-step = Mais um passo: prove de uma segunda forma que é você.
notice-address-mailed = Enviamos um link para o novo endereço. Abra-o para confirmar a alteração.
notice-phone-added = O número de telefone foi confirmado.
notice-phone-removed = O número de telefone foi removido.
notice-account-kept = A sua conta permanece.
notice-terms-accepted = Você aceitou.
notice-details-saved = Os seus dados foram salvos.
notice-profile-saved = O seu perfil foi salvo.
notice-credential-added = Adicionado.
notice-social-known-address = Já existe uma conta com o seu endereço. Inicie sessão nela como antes; a partir de então ela também abre com a outra conta.
notice-social-not-linked = Ainda não conhecemos essa conta, e ela não traz um endereço confirmado. Inicie sessão como antes ou crie uma conta aqui; a partir de então ela também abre com a outra conta.
notice-identity-linked = Conectada.
notice-identity-taken = Essa conta já está conectada a outra conta aqui, ou a sua já está conectada a outra do mesmo provedor.
notice-credential-renamed = Renomeado.
notice-credential-removed = Removido.
notice-browsers-forgotten = Todos os navegadores voltarão a pedir a segunda etapa.
notice-sessions-ended = Sessão encerrada nesse lugar.
notice-account-switched = Você mudou de conta.
notice-account-signed-out = Você saiu dessa conta.
notice-other-account = Aquela página era de outra conta, por isso nada foi alterado.
notice-signed-out-meanwhile = A sua sessão foi encerrada entretanto, por isso nada foi alterado. Inicie sessão e preencha o formulário novamente.
notice-link-of-another = Este link é de outra conta, não da que tem a sessão iniciada aqui. Inicie sessão com a conta que o pediu.
notice-organization-left = Você saiu da organização.
notice-organization-joined = Agora você pertence à organização.
notice-invitation-declined = Você recusou o convite.
notice-invitation-gone = O convite já não é válido.
notice-delegation-ended = Já não age por você.
notice-password-changed = A sua senha foi alterada. Inicie sessão com a nova.

## Resultados
done-email-verified-title = E-mail confirmado
done-email-verified-text = A sua conta está pronta para usar.
done-deletion-begun-title = A sua conta será excluída
done-deletion-begun-text = As suas sessões foram encerradas em todos os lugares. Enviamos por e-mail como mantê-la.
done-address-changed-title = Endereço de e-mail alterado
done-address-changed-text = A partir de agora, inicie sessão com o novo endereço.
done-address-restored-title = O seu endereço está de volta
done-address-restored-text = A conta tem de novo este endereço, e encerramos tudo o que estava em andamento nela. Verifique as suas formas de iniciar sessão no próximo acesso.
done-address-occupied-title = Outra conta tem agora este endereço
done-address-occupied-text = A alteração só pode ser desfeita enquanto nenhuma outra conta tiver o endereço. Avise as pessoas que operam este serviço.
done-password-changed-title = Senha alterada
done-password-changed-text = A partir de agora, inicie sessão com a nova senha.
done-sign-in-disowned-title = Obrigado por avisar
done-sign-in-disowned-text = Encerramos tudo o que estava em andamento na sua conta. Verifique as suas formas de iniciar sessão no próximo acesso.
done-password-taken-title = Obrigado por avisar
done-password-taken-text = Encerramos tudo o que estava em andamento na sua conta, e a senha não funciona mais. Peça uma nova ao seu administrador, ou às suas pessoas de confiança, se as tiver escolhido.
done-changed-since-title = Este link chegou tarde demais
done-changed-since-text = Depois deste acesso a senha foi alterada, ou tudo já foi encerrado. Se não foi você, escolha agora uma nova senha: ela encerra tudo o que está em andamento na sua conta. Depois verifique as suas formas de iniciar sessão.
done-invitation-accepted-title = Boas-vindas
done-invitation-accepted-text = Agora você é membro da organização.
done-opened-elsewhere-title = Abra o link onde você o pediu
done-opened-elsewhere-text = Ele só inicia sessão no navegador em que você o pediu. Abra-o lá ou peça um novo link neste navegador. Se você não pediu um link, ignore o e-mail.
done-link-expired-title = Este link não funciona mais
done-link-expired-text = Ele já foi usado ou é antigo demais. Peça um novo.
done-refused-title = Acesso não concedido
done-refused-text = Nada foi compartilhado. Você pode fechar esta janela.
done-approved-title = Permitido
done-approved-text = Você pode voltar ao seu dispositivo. Ele continua sozinho dentro de instantes.
done-support-allowed-title = Permitido
done-support-allowed-text = A equipe de suporte já pode agir na sua conta pelo tempo solicitado. Você pode fechar esta janela.
done-decided-title = Esta solicitação está encerrada
done-decided-text = Ela já foi respondida ou o prazo dela terminou. Nada foi alterado agora.

## Páginas de erro
problem-request-title = Esta solicitação não pode ser concluída
problem-request-text = O aplicativo enviou algo que não podemos aceitar. Volte a ele e tente novamente; se não ajudar, avise quem o fez.
problem-not-found-title = Página não encontrada
problem-not-found-text = Não há nada neste endereço. Verifique-o ou volte ao lugar de onde veio.
problem-large-title = Isto é grande demais
problem-large-text = O seu navegador enviou mais do que aceitamos. Volte e envie menos. Se isso acontecer em todas as páginas, exclua os cookies deste site.
problem-rate-title = Solicitações demais
problem-rate-text = Espere um pouco antes de tentar novamente.
problem-expired-title = Isto expirou
problem-expired-text = Volte ao aplicativo e comece de novo.
problem-denied-title = Acesso negado
problem-denied-text = Você não tem permissão para fazer isto. Se acha que deveria ter, fale com as pessoas que operam este serviço.
problem-server-title = Algo deu errado
problem-server-text = A falha é nossa. Tente novamente; se continuar acontecendo, informe o ID da solicitação abaixo.
problem-unavailable-title = Voltamos logo
problem-unavailable-text = O serviço não está acessível no momento. Tente novamente daqui a pouco.
problem-retry = Tentar novamente
problem-code = Código de erro
problem-detail = Detalhes para desenvolvedores
problem-request = ID da solicitação

## E-mails
mail-greeting = Olá, { $name },
mail-greeting-plain = Olá,
mail-expires = O link funciona uma vez, durante { $duration }.
mail-link = Se o botão não funcionar, copie este endereço para o seu navegador:
duration-minutes = { $count ->
    [one] { $count } minuto
   *[other] { $count } minutos
}
duration-days = { $count ->
    [one] { $count } dia
   *[other] { $count } dias
}
duration-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
}
mail-verify-subject = Confirme o seu e-mail para { $tenant }
mail-verify-text = Confirme que este é o seu endereço para concluir a criação da sua conta em { $tenant }.
mail-verify-button = Confirmar e-mail
mail-verify-ignore = Se você não criou uma conta, pode ignorar esta mensagem.
mail-prove-subject = { $tenant }: confirme o seu endereço de e-mail
mail-prove-text = Alguém, esperamos que você, quer iniciar sessão em { $tenant } com a conta que tem este endereço. Confirme que o endereço é seu para continuar.
mail-prove-button = Confirmar e-mail
mail-prove-ignore = Se não foi você, ignore esta mensagem. O endereço continua sem confirmação.
mail-reset-subject = { $tenant }: redefina a sua senha
mail-reset-text = Alguém, esperamos que você, pediu em { $tenant } uma nova senha para a conta com este endereço. Escolha-a aqui.
mail-reset-button = Escolher uma nova senha
mail-reset-ignore = Se não foi você, ignore esta mensagem. A sua senha permanece como está.
mail-recovery-subject = { $tenant }: escolha uma nova senha
mail-recovery-text = Um administrador de { $tenant } enviou este link para você escolher uma nova senha para a conta com este endereço.
mail-recovery-button = Escolher uma nova senha
mail-recovery-ignore = Se não precisa de uma nova senha, ignore esta mensagem. A sua senha permanece como está.
mail-invitation-subject = Convite de { $tenant }
mail-invitation-text = Você foi convidado a tornar-se membro de { $tenant } com a conta que tem este endereço.
mail-invitation-button = Aceitar o convite
mail-invitation-ignore = Se não quiser, ignore esta mensagem. Nada acontece.
mail-organization-invitation-subject = { $tenant }: convite de { $organization }
mail-organization-invitation-text = Você foi convidado para { $organization } em { $tenant } com a conta que tem este endereço.
mail-organization-invitation-button = Ver o convite
mail-organization-invitation-ignore = Se não quiser, ignore esta mensagem. Nada acontece.
mail-exists-subject = { $tenant }: inicie sessão com a sua conta
mail-exists-text = Alguém, esperamos que você, tentou criar uma conta em { $tenant } com este endereço. Já existe uma conta com ele: este link inicia sessão nela e torna você membro de { $tenant }, se ainda não for.
mail-exists-button = Iniciar sessão
mail-exists-ignore = Se não foi você, ignore esta mensagem. Nada mudou.
mail-locked-subject = { $tenant }: senhas erradas demais para a sua conta
mail-locked-text = Alguém tentou senhas erradas demais em { $tenant } para a conta com este endereço. Em navegadores que você nunca usou, o início de sessão fica suspenso durante { $duration }. Onde já iniciou sessão, ainda pode fazê-lo, e uma nova senha termina a suspensão.
mail-locked-button = Escolher uma nova senha
mail-locked-ignore = Se a sua senha é boa e não a usa em nenhum outro lugar, não há nada a fazer. Esta mensagem chega apenas uma vez.
mail-new-device-subject = { $tenant }: novo acesso à sua conta
mail-new-device-text = Alguém acabou de acessar a sua conta em { $tenant } com um navegador que você ainda não tinha usado, ou de uma forma incomum. Foi você? Veja quando e de onde foi, e avise se não foi você.
mail-new-device-button = Ver o acesso
mail-new-device-ignore = Se foi você, não há nada a fazer.
mail-sign-in-refused-subject = { $tenant }: recusamos um acesso à sua conta
mail-sign-in-refused-text = Alguém acabou de tentar acessar a sua conta em { $tenant } e tinha o necessário, por exemplo a sua senha. Não permitimos a entrada, porque o acesso era incomum demais. Foi você? Veja quando e de onde foi, e avise se não foi você.
mail-sign-in-refused-button = Ver a tentativa
mail-sign-in-refused-ignore = Se foi você, inicie sessão com um navegador que já tenha usado ou com uma chave de acesso.
mail-signin-link-subject = { $tenant }: o seu link para iniciar sessão
mail-signin-link-text = Este é o link para iniciar sessão em { $tenant }. Abra-o no navegador em que você o pediu.
mail-signin-link-button = Iniciar sessão
mail-signin-link-ignore = Se você não pediu um link, ignore esta mensagem. O link não inicia sessão em nenhum outro navegador além daquele que o pediu.
text-sign-in = { $code } é o seu código para iniciar sessão em { $tenant }. Ele vale por { $duration }. Não o passe a ninguém.
text-new-password = { $code } é o seu código para escolher uma nova senha em { $tenant }. Ele vale por { $duration }. Não o passe a ninguém.
text-new-number = { $code } confirma o seu número de telefone em { $tenant }. Ele vale por { $duration }. Não o passe a ninguém.
mail-code-subject = { $tenant }: o seu código para iniciar sessão
mail-code-text = Este é o código para iniciar sessão em { $tenant }. Digite-o na página que o pediu e não o dê a ninguém. Ele funciona uma vez, durante { $duration }.
mail-code-button = O seu código
mail-code-ignore = Se você não pediu um código, ignore esta mensagem. Ninguém entra sem o código.
mail-credential-added-subject = { $kind ->
    [app] { $tenant }: um aplicativo de autenticação foi adicionado à sua conta
    [backup-codes] { $tenant }: novos códigos de reserva para a sua conta
    [passkey] { $tenant }: uma chave de acesso foi adicionada à sua conta
    [security-key] { $tenant }: uma chave de segurança foi adicionada à sua conta
    [phone] { $tenant }: um número de telefone foi adicionado à sua conta
    [identity] { $tenant }: outra conta foi conectada à sua
    [wallet] { $tenant }: uma carteira foi adicionada à sua conta
   *[other] { $tenant }: uma forma de iniciar sessão foi adicionada à sua conta
}
mail-credential-added-text = { $kind ->
    [app] Um aplicativo de autenticação foi adicionado à sua conta em { $tenant }. Os códigos dele valem como prova de que é você.
    [backup-codes] Novos códigos de reserva foram criados para a sua conta em { $tenant }. Os anteriores não funcionam mais.
    [passkey] Uma chave de acesso foi adicionada à sua conta em { $tenant }.
    [security-key] Uma chave de segurança foi adicionada à sua conta em { $tenant }.
    [phone] Um número de telefone foi adicionado à sua conta em { $tenant }. Os códigos enviados a ele valem como prova de que é você.
    [identity] Uma conta que existe em outro lugar foi conectada à sua conta em { $tenant }. A partir de agora, ela abre a sua conta.
    [wallet] Uma carteira foi adicionada à sua conta em { $tenant }. A partir de agora, ela abre a sua conta.
   *[other] Uma forma de provar que é você foi adicionada à sua conta em { $tenant }.
}
mail-credential-added-button = Não fui eu
mail-credential-added-ignore = Se foi você, não há nada a fazer.
mail-credential-removed-subject = { $kind ->
    [app] { $tenant }: um aplicativo de autenticação foi removido da sua conta
    [backup-codes] { $tenant }: códigos de reserva foram removidos da sua conta
    [passkey] { $tenant }: uma chave de acesso foi removida da sua conta
    [security-key] { $tenant }: uma chave de segurança foi removida da sua conta
    [phone] { $tenant }: o seu número de telefone foi removido da sua conta
    [identity] { $tenant }: uma conta conectada foi removida da sua conta
    [wallet] { $tenant }: uma carteira foi removida da sua conta
   *[other] { $tenant }: uma forma de iniciar sessão foi removida da sua conta
}
mail-credential-removed-text = { $kind ->
    [app] Um aplicativo de autenticação foi removido da sua conta em { $tenant }.
    [backup-codes] Códigos de reserva foram removidos da sua conta em { $tenant }.
    [passkey] Uma chave de acesso foi removida da sua conta em { $tenant }.
    [security-key] Uma chave de segurança foi removida da sua conta em { $tenant }.
    [phone] O seu número de telefone foi removido da sua conta em { $tenant }.
    [identity] Uma conta conectada foi removida da sua conta em { $tenant }. Ela não abre mais a sua conta.
    [wallet] Uma carteira foi removida da sua conta em { $tenant }. Ela não abre mais a sua conta.
   *[other] Uma forma de provar que é você foi removida da sua conta em { $tenant }.
}
mail-credential-removed-button = Não fui eu
mail-credential-removed-ignore = Se foi você, não há nada a fazer.
mail-handed-over-subject = A sua conta em { $tenant } foi entregue a você
mail-handed-over-text = Você confirmou que este endereço é seu. O que tinha sido adicionado antes à conta já não a abre: uma senha, chaves de acesso, aplicativos, números de telefone, contas conectadas. Todas as sessões foram encerradas.
mail-handed-over-button = Não fui eu
mail-handed-over-ignore = Se foi você, não há nada a fazer. Você pode adicionar de novo na sua conta o que era seu.
mail-deletion-subject = { $tenant }: a sua conta será excluída
mail-deletion-text = Você pediu a exclusão da sua conta em { $tenant }. Durante { $duration } pode mantê-la: siga o link, inicie sessão e escolha “Manter a minha conta”. Só iniciar sessão não basta. Depois disso ela desaparece.
mail-deletion-button = Manter a minha conta
mail-deletion-ignore = Se quer que seja excluída, não há nada a fazer. Se não pediu isto, mantenha-a e altere a sua senha.
mail-new-address-subject = { $tenant }: confirme o seu novo endereço de e-mail
mail-new-address-text = Você quer usar este endereço para a sua conta em { $tenant }. Confirme-o com este link, com a sua própria sessão iniciada.
mail-new-address-button = Confirmar o endereço
mail-new-address-ignore = Se não foi você, ignore esta mensagem. Nada muda.
mail-address-taken-subject = { $tenant }: este endereço já tem uma conta
mail-address-taken-text = Alguém, esperamos que você, quis usar este endereço para outra conta em { $tenant }. Ele já pertence a uma conta, por isso nada mudou. Para usá-lo em outra conta, dê primeiro outro endereço à atual.
mail-address-taken-button = Ir para { $tenant }
mail-address-taken-ignore = Se não foi você, ignore esta mensagem. Nada muda.
mail-address-changed-subject = { $tenant }: a sua conta tem outro endereço de e-mail
mail-address-changed-text = A conta que tinha este endereço em { $tenant } agora tem outro. Este endereço não a abre mais.
mail-address-changed-button = Ir para { $tenant }
mail-address-changed-ignore = Se não foi você, avise imediatamente as pessoas que operam este serviço.
mail-address-undo-subject = { $tenant }: a sua conta tem outro endereço de e-mail
mail-address-undo-text = A conta que tinha este endereço em { $tenant } agora tem outro. Este endereço não a abre mais. Se não foi você, desfaça a alteração: a sua conta volta a ter este endereço, e tudo o que está em andamento nela termina. Se ela tiver senha, você escolhe uma nova.
mail-address-undo-button = Ver a alteração
mail-address-undo-ignore = Se foi você, não há nada a fazer.
mail-changed-subject = { $tenant }: a sua senha foi alterada
mail-changed-text = A senha da conta com este endereço acabou de ser alterada em { $tenant }. Se foi você, não há nada a fazer.
mail-changed-button = Não fui eu
mail-changed-ignore = Se não foi você, escolha imediatamente uma nova senha e avise as pessoas que operam este serviço.
mail-changed-first-subject = { $tenant }: a sua conta agora tem uma senha
mail-changed-first-text = A conta com este endereço não tinha senha; acabou de ser definida uma em { $tenant }. Se foi você, não há nada a fazer.
mail-changed-first-button = Não fui eu
mail-changed-first-ignore = Se não foi você, escolha imediatamente uma nova senha e avise as pessoas que operam este serviço.
problem-again-title = Comece de novo
problem-again-text = Esta página não pode continuar: ficou aberta tempo demais, foi aberta em outro navegador ou apenas pelo seu endereço. Comece de novo no aplicativo.
problem-back = Voltar a { $app }
mismatch-sent = Enviado
mismatch-registered = Registrado
signout-unregistered = O aplicativo pediu para voltar a um endereço que não registrou, por isso não há caminho de volta a ele a partir daqui.
start-account = Você iniciou sessão como { $account }.
start-approvals = Solicitações de outros dispositivos
start-text = É aqui que se inicia sessão. Abra o aplicativo que quer usar; ele traz você até aqui.

## Idiomas, acesso, aplicativos que ninguém verificou
language-name = Português
language = Idioma
sent-resend = Reenviar a mensagem
register-again = Usar outro endereço
forgot-again = Tentar outro nome
signin-for-device = para conectar um dispositivo
signin-for-approvals = para responder a solicitações de outros dispositivos
signin-for-access = para ver o que os aplicativos podem fazer
signin-for-account = para gerenciar a sua conta
signin-for-invitation = para aceitar um convite
select-signed-out = Sessão encerrada
consent-identity = Sobre você
consent-api = Em { $api }
consent-write = Pode fazer alterações
consent-foreign = { $app } não é operado por { $tenant }.
consent-unverified = { $app } registrou-se por conta própria. Ninguém em { $tenant } verificou o nome dele nem o que ele diz sobre si, e { $tenant } não o opera.
consent-destination = Se permitir, você continua para
consent-take-back = Você pode revogar isto a qualquer momento:
consent-organization = Este acesso é válido para a sua organização:
access-title = Aplicativos com acesso
access-none = Você não permitiu que nenhum aplicativo use a sua conta.
access-remove = Remover o acesso de { $app }
access-note = Um aplicativo cujo acesso você remove perde-o imediatamente e terá de pedir novamente.
leaving-title = Esta solicitação foi recusada
leaving-text = { $app } enviou uma solicitação que não pode ser atendida.
leaving-warning = O link abaixo leva a um site que ninguém em { $tenant } verificou. Siga-o apenas se o conhecer e não digite lá a sua senha.
leaving-go = Ir para { $destination }

# Sign-in with Ethereum.
error-siwe-address = Isso não é um endereço Ethereum. Procure erros de digitação: as maiúsculas contam.
error-siwe-chain = Escolha uma das redes oferecidas aqui.
error-siwe-failed = A assinatura não é dessa conta para esta mensagem. Assine exatamente esta mensagem.
error-siwe-late = Essa mensagem é antiga demais ou já foi usada. Comece de novo.
error-siwe-not-enough = Aqui se pede mais do que uma assinatura. Inicie sessão de outra forma.
error-siwe-unavailable = Não é possível verificar a assinatura agora. Tente de novo em alguns minutos ou inicie sessão de outra forma.
login-by-wallet = com uma carteira
notice-siwe-not-linked = Nenhuma conta daqui está conectada a esse endereço ainda. Inicie sessão como antes; a partir de então, a sua conta também abre com ele.
siwe-address = Endereço da sua conta
siwe-address-hint = 0x e 40 dígitos.
siwe-cancelled = A carteira não respondeu. Tente de novo, ou assine a mensagem em outro lugar e cole a assinatura.
siwe-chain = Rede
siwe-link = Iniciar sessão com Ethereum
siwe-message = Mensagem
siwe-missing = Nenhuma carteira deste navegador tem essa conta. Escolha a conta na carteira ou cole a assinatura.
siwe-next = Mostrar a mensagem a assinar
siwe-other = Usar outro endereço
siwe-sign = Assinar com a carteira
siwe-signature = Assinatura
siwe-submit = Enviar a assinatura
siwe-text = Assine esta mensagem com sua carteira. Não custa nada e não envia nenhuma transação.
siwe-wallet = Usar a carteira deste navegador
siwe-needs = É necessária uma carteira com uma conta Ethereum. Se este navegador não tiver nenhuma, digite o endereço da conta, assine a mensagem na sua carteira e cole a assinatura.

## Guests
anonymous-submit = Continuar como visitante
guest-name = Visitante
notice-here-as-guest = Você está aqui como visitante. Crie uma conta e mantenha o que tem aqui; se iniciar sessão em outra conta, isso fica para trás.
account-keep = Manter a sua conta
keep-text = Você está aqui como visitante: só este navegador abre a sua conta, e ela é excluída quando você deixa de usá-la. Informe um endereço de e-mail para mantê-la. Um link no e-mail permite escolher como entrar; abra-o neste navegador.
done-guest-elsewhere-title = Abra o link no navegador que você usou
done-guest-elsewhere-text = Ele mantém a conta de um visitante, que está no navegador em que você o pediu. Abra-o lá. Se você não pediu um link, ignore o e-mail.
done-guest-deleted-title = A sua conta está sendo excluída
done-guest-deleted-text = A sua sessão foi encerrada, e o que guardávamos sobre você será excluído em poucos minutos.

## Pessoas de confiança e recuperação por elas
account-guardians = Pessoas de confiança
account-guarding = Quem confia em você
guardians-text = As pessoas de confiança são pessoas em quem você confia e que têm uma conta aqui. Quando você não conseguir mais iniciar sessão, elas confirmam juntas que é você. Sozinha, nenhuma delas pode fazer nada, e nenhuma vê a sua conta.
guardians-are-ready = { $count ->
    [one] { $count } pessoa de confiança conta; o número necessário é { $threshold }. As suas pessoas de confiança podem ajudar você.
   *[other] { $count } pessoas de confiança contam; o número necessário é { $threshold }. As suas pessoas de confiança podem ajudar você.
}
guardians-are-not-ready = { $count ->
    [0] Nenhuma pessoa de confiança conta ainda. Convide algumas e salve abaixo quantas são necessárias; até lá, elas não podem ajudar você.
    [one] { $count } pessoa de confiança conta. Quando um número suficiente tiver aceitado, salve abaixo quantas são necessárias; até lá, elas não podem ajudar você.
   *[other] { $count } pessoas de confiança contam. Salve abaixo quantas são necessárias; até lá, elas não podem ajudar você.
}
guardian-active = pessoa de confiança
guardian-inactive = não pode iniciar sessão no momento
guardian-invited = convite enviado
guardian-since = Pessoa de confiança desde { $day }
guardian-invited-on = Convite enviado em { $day }
guardian-remove = Remover { $email }
guardian-email = Endereço de e-mail de alguém em quem você confia
guardian-invite = Convidar
guardian-rules = O que é necessário
guardian-threshold = Pessoas de confiança que devem confirmar
guardian-wait = Horas de espera depois disso
guardian-wait-hint = De { $least } a { $most } horas. Nesse período, avisamos você por todos os meios, e você pode cancelar.
guardian-rules-submit = Salvar
guardians-asked = Alguém está pedindo às suas pessoas de confiança que recuperem a sua conta.
guardians-asked-text = Se não foi você, cancele agora. Quem for confirmado por um número suficiente de pessoas de confiança pode escolher uma nova senha.
guardians-too-few = Contam menos pessoas de confiança do que as necessárias: elas não podem recuperar a sua conta.
guardians-look = Ver
guardians-confirmed = { $count } de { $most } confirmações
guardians-ready-at = nova senha possível a partir de
guarding-text = Estas pessoas confiam em você para confirmar que são elas quando não conseguirem mais iniciar sessão.
guarding-none = Você não é pessoa de confiança de ninguém.
guarding-wait = Há quem espere a sua resposta:
guarding-invited = { $name } pede que você seja sua pessoa de confiança: que confirme a identidade dessa pessoa quando ela não conseguir mais iniciar sessão. Você não vê nada da conta dela.
guarding-accept = Aceitar
guarding-decline = Recusar
guarding-leave = Deixar de ser pessoa de confiança de { $name }
guarding-asked = Alguém diz ser { $name } e pede a sua ajuda desde
guarding-call = Primeiro ligue para { $name }, para um número que você conheça, e peça que leia o código em voz alta. Nunca aceite o código de uma mensagem nem de alguém cuja voz você não conheça.
guarding-answered = Você já respondeu. Se responder outra vez, vale a última resposta.
guarding-code = O código que { $name } lê para você
guarding-confirm = Confirmar que é essa pessoa
guarding-refuse = É outra pessoa
forgot-guardians = Não consigo ler os meus e-mails: pedir às minhas pessoas de confiança
recovery-ask-title = Peça às suas pessoas de confiança
recovery-ask-text = Digite o seu nome de usuário ou e-mail. Se a conta tiver pessoas de confiança, pediremos a elas que confirmem que é você.
recovery-ask-submit = Pedir
recovery-title = Recuperação pelas suas pessoas de confiança
recovery-text = Se a conta { $account } tiver pessoas de confiança, o pedido foi enviado a elas. Ligue para cada uma e leia este código em voz alta:
recovery-code-text = Quem digita este código confirma este navegador e nenhum outro. Continue neste navegador: só aqui você pode escolher uma nova senha.
recovery-confirmed = { $count ->
    [one] { $count } pessoa de confiança confirmou.
   *[other] { $count } pessoas de confiança confirmaram.
}
recovery-reached = Um número suficiente de pessoas de confiança confirmou. Você pode escolher uma nova senha aqui a partir de
recovery-come-back = Volte a esta página neste navegador para ver o andamento.
recovery-ready = As suas pessoas de confiança confirmaram. Escolha uma nova senha.
recovery-ready-hint = As suas sessões são encerradas em todos os lugares, e são removidos chaves de acesso, aplicativos, números de telefone, códigos de reserva, contas conectadas e navegadores confiáveis. Depois, configure o que precisar.
recovery-submit = Definir a senha
recovery-over = Passou tempo demais ou o pedido foi cancelado. Você pode pedir de novo.
recovery-again = Começar de novo
recovery-cancel-title = Cancelar a recuperação?
recovery-cancel-text = Alguém está pedindo às suas pessoas de confiança que recuperem a sua conta. Se não foi você, cancele.
recovery-cancel-submit = Cancelar a recuperação
recovery-cancel-hint = A sua conta permanece como está. Se foi você quem pediu, feche esta página.
notice-guardian-invited = Enviamos um convite por e-mail.
notice-guardian-removed = A pessoa de confiança foi removida.
notice-guardian-rules-saved = O que é necessário foi salvo.
notice-guardian-accepted = Agora você é pessoa de confiança.
notice-guardian-left = Você não é pessoa de confiança ali.
notice-recovery-confirmed = A sua confirmação conta.
notice-recovery-refused = Registramos que é outra pessoa.
notice-recovery-cancelled = A recuperação foi cancelada.
error-guardian-self = Digite o endereço de outra pessoa.
error-guardian-known = Este endereço já foi convidado.
error-guardians-full = Você já tem o máximo de pessoas de confiança: { $count }. Remova uma primeiro.
error-apps-full = Você já tem o máximo de aplicativos: { $count }. Remova um primeiro.
error-threshold = Escolha pelo menos { $count } e não mais do que as pessoas de confiança que contam.
error-wait = Escolha um número de horas entre { $count } e 720.
error-recovery-code-wrong = Este código está errado. Peça à pessoa que o leia de novo.
error-recovery-over = Esta recuperação terminou ou começou antes de você ser pessoa de confiança.
done-recovery-cancelled-title = A recuperação foi cancelada
done-recovery-cancelled-text = A sua conta permanece como está. Se alguém puder conhecer a sua senha, altere-a.
done-recovered-title = Você recuperou a sua conta
done-recovered-text = Inicie sessão com a nova senha e configure de novo as suas chaves de acesso e a verificação em duas etapas.
text-recovery = A sua conta em { $tenant } está sendo recuperada pelas suas pessoas de confiança. Se não foi você, cancele pelo nosso e-mail ou inicie sessão.
mail-guardian-invitation-subject = { $tenant }: { $person } pede que você seja sua pessoa de confiança
mail-guardian-invitation-text = { $person } confia em você e pede que você seja sua pessoa de confiança em { $tenant }: que confirme a identidade dessa pessoa quando ela não conseguir mais iniciar sessão. Inicie sessão com a conta que tem este endereço, ou registre uma, e responda no prazo de { $duration }.
mail-guardian-invitation-button = Responder
mail-guardian-invitation-ignore = Se você não conhece { $person }, ignore esta mensagem.
mail-guardian-accepted-subject = { $tenant }: { $person } agora é sua pessoa de confiança
mail-guardian-accepted-text = { $person } aceitou ser pessoa de confiança da sua conta em { $tenant }.
mail-guardian-accepted-button = Ver as suas pessoas de confiança
mail-guardian-accepted-ignore = Se você não convidou ninguém, remova essa pessoa e altere a sua senha.
mail-guardian-left-subject = { $tenant }: { $person } não é sua pessoa de confiança
mail-guardian-left-text = { $person } recusou ou deixou de ser pessoa de confiança da sua conta em { $tenant }. Verifique se ainda há um número suficiente.
mail-guardian-left-button = Ver as suas pessoas de confiança
mail-guardian-left-ignore = Fora isso, não há nada a fazer.
mail-guardian-rules-subject = { $tenant }: as regras das suas pessoas de confiança mudaram
mail-guardian-rules-text = Foi alterado quantas pessoas de confiança devem confirmar ou quanto tempo a sua conta em { $tenant } espera depois disso.
mail-guardian-rules-button = Ver as suas pessoas de confiança
mail-guardian-rules-ignore = Se não foi você, desfaça a alteração e escolha uma nova senha.
mail-recovery-asked-subject = { $tenant }: { $person } talvez precise da sua ajuda
mail-recovery-asked-text = Alguém diz ser { $person } e não consegue mais iniciar sessão em { $tenant }. Primeiro ligue para { $person }, para um número que você conheça, e peça que leia o código em voz alta. Nunca aceite o código de uma mensagem. Depois inicie sessão e digite-o.
mail-recovery-asked-button = Responder
mail-recovery-asked-ignore = Se não conseguir falar com { $person }, não faça nada: o seu silêncio não muda nada.
mail-recovery-opened-subject = { $tenant }: alguém pede às suas pessoas de confiança que recuperem a sua conta
mail-recovery-opened-text = Alguém, esperamos que você, pediu às suas pessoas de confiança que recuperem a sua conta em { $tenant }. Quando um número suficiente delas tiver confirmado e o tempo de espera terminar, quem pediu pode escolher uma nova senha. Se não foi você, cancele aqui.
mail-recovery-opened-button = Cancelar a recuperação
mail-recovery-opened-ignore = Se foi você, não há nada a fazer aqui: leia o código em voz alta para as suas pessoas de confiança.
mail-recovery-confirmed-subject = { $tenant }: uma pessoa de confiança confirmou a recuperação da sua conta
mail-recovery-confirmed-text = { $person } confirmou que é você quem pede a recuperação da sua conta em { $tenant }. Se não foi você, cancele aqui.
mail-recovery-confirmed-button = Cancelar a recuperação
mail-recovery-confirmed-ignore = Se foi você, não há nada a fazer.
mail-recovery-refused-subject = { $tenant }: uma pessoa de confiança recusou a recuperação da sua conta
mail-recovery-refused-text = { $person } diz que não é você quem pede a recuperação da sua conta em { $tenant }. Se não foi você, cancele aqui.
mail-recovery-refused-button = Cancelar a recuperação
mail-recovery-refused-ignore = Se foi você, ligue para { $person }.
mail-recovery-reached-subject = { $tenant }: a sua conta será recuperada
mail-recovery-reached-text = Um número suficiente de pessoas de confiança confirmou. Daqui a { $duration }, o navegador que fez o pedido pode escolher uma nova senha para a sua conta em { $tenant }. Se não foi você, cancele antes disso.
mail-recovery-reached-button = Cancelar a recuperação
mail-recovery-reached-ignore = Se foi você, volte à página no navegador em que fez o pedido.
mail-recovered-subject = { $tenant }: a sua conta foi recuperada
mail-recovered-text = As suas pessoas de confiança confirmaram, e a sua conta em { $tenant } tem uma nova senha. As suas sessões foram encerradas em todos os lugares, e tudo o mais que abria a conta foi removido.
mail-recovered-button = Iniciar sessão
mail-recovered-ignore = Se não foi você, peça imediatamente uma nova senha e avise { $tenant }.

# Support staff who act for people
acting-label = Acesso do suporte
acting-text = Está agindo como { $account }.
acting-end = Encerrar
acting-account = Ir para a conta
account-support = Acesso do suporte
support-about = Quando você precisa de ajuda, o suporte pode agir na sua conta por tempo limitado. Ele vê o que você vê e não pode mudar como você entra. Você pode encerrar isso aqui a qualquer momento.
support-none = O suporte ainda não agiu na sua conta.
support-to-approvals = Responder ao pedido do suporte
support-reason = Motivo:
support-asks = { $person }, do suporte, pede para agir na sua conta
support-what = O suporte vê o que você vê nos aplicativos. Não pode mudar sua senha, seu endereço nem como você entra, e não permite nada em seu nome. Você pode encerrar a qualquer momento.
support-end = Encerrar o acesso
support-waiting = espera por você
support-ready = aprovado, não iniciado
support-active = em andamento
support-refused = recusado
support-expired = não usado a tempo
support-ended = encerrado
notice-support-ended = O suporte não pode mais agir na sua conta.
login-impersonated = O suporte começou a agir por você
impersonate-title = Agir por uma pessoa
impersonate-text = Você vai agir na conta de { $account }.
impersonate-hint = Tudo o que você fizer fica registrado com o seu nome ({ $account }). A sua própria sessão permanece e volta quando você encerrar.
impersonate-submit = Começar
done-impersonation-link-title = Este link não funciona aqui
done-impersonation-link-text = Ele funciona uma vez, por cinco minutos, e só no navegador em que entrou a pessoa que o pediu. Peça outro link.
mail-impersonation-asked-subject = { $tenant }: o suporte pede para agir na sua conta
mail-impersonation-asked-text = { $person }, do suporte de { $tenant }, pede para agir na sua conta por tempo limitado. Inicie sessão para ver o motivo e aprovar ou recusar.
mail-impersonation-asked-button = Ver o pedido
mail-impersonation-asked-ignore = Se você não fizer nada, ninguém terá acesso.
mail-impersonation-started-subject = { $tenant }: o suporte está agindo na sua conta
mail-impersonation-started-text = { $person }, do suporte de { $tenant }, começou a agir na sua conta por tempo limitado. Você pode ver o motivo e encerrar na sua conta.
mail-impersonation-started-button = Ver ou encerrar
mail-impersonation-started-ignore = Se você não precisa de ajuda do suporte, encerre e avise-nos.
mail-impersonation-ended-subject = { $tenant }: o suporte agiu na sua conta
mail-impersonation-ended-text = { $person }, do suporte de { $tenant }, agiu na sua conta. Isso terminou. Você pode ver o motivo na sua conta.
mail-impersonation-ended-button = Ver
mail-impersonation-ended-ignore = Se você não precisava de ajuda do suporte, avise-nos.
support-minutes = Por { $duration }.

## Recovery by a proven factor

signin-for-recovery = Prove primeiro que é você. Depois escolha a nova senha.
recover-others = ou prove de outra forma que é você
recover-sms = Usar um código por SMS
recover-passkey = Usar uma chave de acesso
recover-start-again = Voltar a todas as formas
error-phone-alone-not-enough = Um código por SMS não basta sozinho para esta conta, que exige a verificação em duas etapas. Use outra forma.
text-password-changed = A senha da sua conta em { $tenant } foi alterada. Se não foi você, escolha outra imediatamente pelo link de senha esquecida na página de início de sessão.

## Registration by a mailed code

register-by-code = Usar um código por e-mail, sem senha
register-code-sent = Uma mensagem está a caminho de { $email }. Digite aqui o código que ela contém. Se você já tem uma conta, siga a mensagem.
register-name-text = { $email } é o seu endereço. Qual é o seu nome?
mail-registration-code-subject = { $tenant }: o seu código para criar uma conta
mail-registration-code-text = Este é o código para criar a sua conta em { $tenant }. Digite-o na página que o pediu e não o dê a ninguém. Ele funciona uma vez, durante { $duration }.
mail-registration-code-button = O seu código
mail-registration-code-ignore = Se você não pediu um código, ignore esta mensagem. Sem o código, nenhuma conta é criada.

## Preview of branding and texts
preview-title = Pré-visualização da aparência
preview-text = Veja as páginas e os e-mails antes de salvar a aparência. Nada do que você digitar aqui é guardado.
preview-page = Página ou e-mail
preview-scheme = Cores
preview-light = Claro
preview-dark = Escuro
preview-width = Tela
preview-wide = Computador
preview-phone = Telefone
preview-organization = Organização, pelo seu nome curto
preview-accent = Cor de destaque
preview-radius = Arredondamento dos cantos, em pixels
preview-font = Fonte
preview-font-system = A do sistema
preview-font-humanist = Humanista
preview-font-geometric = Geométrica
preview-font-rounded = Arredondada
preview-font-serif = Com serifas
preview-font-monospace = De largura fixa
preview-logo = Endereço do logotipo
preview-sender = Remetente dos e-mails
preview-texts = Textos próprios neste idioma
preview-texts-hint = Um por linha: a chave, um sinal de igual, o texto.
preview-submit = Mostrar
preview-frame = Pré-visualização
preview-mark = Isto é uma pré-visualização. Nada nela funciona.
