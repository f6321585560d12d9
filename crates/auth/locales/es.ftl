### Español.

## Marco
footer = Protegido por { $tenant }
title-error = Error:
legal-policy = Política de privacidad
legal-terms = Condiciones del servicio
continue = Continuar
continue-app = Continuar a { $app }
back-to-signin = Volver a iniciar sesión

## Iniciar sesión
signin-title = Iniciar sesión
signin-to = para continuar a { $app }
signin-submit = Iniciar sesión
sso-lead = Continúe con { $name }. Allí inician sesión las personas de su organización.
sso-alone = Aquí no se admite otra forma de iniciar sesión para su organización.
sso-continue = Continuar
sso-address = Correo electrónico del trabajo
sso-link = Iniciar sesión con SSO
social-title = Otras formas de entrar
social-continue = Continuar con { $name }
email-otp-link = Recibir un código por correo
email-otp-address = Correo electrónico
email-otp-send = Enviar el código
email-otp-sent = Si aquí hay una cuenta con la dirección { $address }, le hemos enviado un código.
email-otp-label = Código del correo
email-otp-resend = Enviar un código nuevo
email-otp-other = Usar otra dirección
magic-link-link = Recibir un enlace de acceso por correo
magic-link-send = Enviar el enlace
magic-link-sent = Si aquí hay una cuenta con la dirección { $address }, le hemos enviado un enlace. Ábralo en este navegador.
magic-link-resend = Enviar un enlace nuevo
magic-link-title = Iniciar sesión
magic-link-text = ¿Iniciar sesión como { $email }?
sms-link = Recibir un código en su teléfono
sms-number = Número de teléfono
sms-number-hint = Con el prefijo del país, por ejemplo +34 911 23 45 67.
sms-send = Enviar el código
sms-second = Enviar un código a mi teléfono
sms-sent = Si aquí hay una cuenta con el número { $number }, le hemos enviado un código.
sms-sent-second = Hemos enviado un código a su teléfono, cuyo número termina en { $end }.
sms-label = Código del mensaje de texto
sms-resend = Enviar un código nuevo
sms-other = Usar otro número
signin-forgot = ¿Olvidó la contraseña?
signin-narrowed = Aquí solo se aceptan las formas de iniciar sesión de esta página.
signin-none-accepted = No se ofrece ninguna forma de iniciar sesión que se acepte aquí. Pregunte a un administrador.
passkey-or = o
passkey-submit = Iniciar sesión con una llave de acceso
passkey-second = Usar una llave de acceso o de seguridad
passkey-cancelled = No se usó ninguna llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.
passkey-failed = La llave de acceso no se pudo usar aquí. Inténtelo de nuevo o inicie sesión de otra forma.
passkey-not-made = No se creó ninguna llave de acceso. Inténtelo de nuevo o elija otra forma.
passkey-not-able = Este dispositivo no puede crear una llave de acceso que sirva aquí. Elija otra forma o use otro dispositivo.
passkey-needs-script = Las llaves de acceso y de seguridad necesitan un navegador con JavaScript.
signin-register-ask = ¿Es su primera vez?
signin-register = Crear una cuenta
username-label = Correo o nombre de usuario
email-label = Correo electrónico
name-label = Nombre completo
password-label = Contraseña
password-show = Mostrar contraseña
strength-label = Seguridad de la contraseña
strength-weak = Débil
strength-fair = Aceptable
strength-good = Buena
strength-strong = Fuerte
password-hint = { $count ->
    [one] Al menos { $count } carácter.
   *[other] Al menos { $count } caracteres. Varias palabras sin relación funcionan bien.
}

## Verificación en dos pasos
second-title = Confirme que es usted
totp-label = Código de su aplicación de autenticación
totp-submit = Confirmar
backup-code-more = Usar un código de respaldo
backup-code-label = Código de respaldo
trust-browser = { $count ->
    [one] No volver a preguntar en este navegador durante { $count } día
   *[other] No volver a preguntar en este navegador durante { $count } días
}
set-up-passkey-why = { $tenant } pide más de lo que ha demostrado hasta ahora. Con una llave de acceso iniciará sesión a partir de ahora con su huella, su rostro o su PIN.
set-up-totp-why = { $tenant } pide una segunda prueba de que es usted. Una aplicación de autenticación en su teléfono muestra un código nuevo cada 30 segundos.
set-up-totp-begin = Configurar una aplicación
set-up-totp-scan = Escanee esta imagen con la aplicación.
set-up-totp-picture = Código QR con la clave para su aplicación
set-up-totp-key = ¿No puede escanearla? Escriba esta clave en la aplicación:
set-up-totp-code = Código que muestra la aplicación
set-up-totp-submit = Activar

## Registro
register-title = Cree su cuenta
register-submit = Crear cuenta
register-signin-ask = ¿Ya tiene una cuenta?
register-signin = Iniciar sesión
sent-title = Revise su correo
sent-hint = ¿Nada después de unos minutos? Mire en la carpeta de correo no deseado o inténtelo de nuevo.
register-sent-text = Hemos enviado un mensaje a { $email }. Abra el enlace que contiene para terminar de crear su cuenta.
prove-sent-text = Hemos enviado un mensaje a { $email }. Abra el enlace que contiene para confirmar que esta es su dirección; después podrá continuar.

## Confirmar una dirección
verify-title = Confirme su correo
verify-text = ¿Es { $email } su dirección?
verify-choose = Elija cómo iniciar sesión como { $email }.
verify-submit = Sí, confirmar
verify-passkey = Crear una llave de acceso en su lugar
verify-ignore = Si no ha pedido esto, cierre esta página.

## Unirse
join-title = ¿Unirse a { $tenant }?
join-text = Ya tiene una cuenta: { $account }. Con ella puede hacerse miembro de { $tenant }.
join-submit = Unirse como { $account }
join-ignore = Si no quiere unirse, cierre esta página.
invite-title = ¿Unirse a { $organization }?
invite-text = { $email } tiene una invitación a { $organization } en { $tenant }.
invite-choose = Recibirá una cuenta para esta dirección. Elija cómo iniciar sesión.
invite-other = Ha iniciado sesión como otra persona. Inicie sesión como { $email } para aceptar.
invite-switch = Iniciar sesión como { $email }
invite-submit = Aceptar la invitación
invite-ignore = Si no lo desea, cierre esta página. No pasará nada.

## Centro de la cuenta
account-menu = Su cuenta
account-menu-open = Menú
account-skip = Saltar el menú
account-overview = Su cuenta
account-profile = Perfil
account-password = Contraseña
account-passkeys = Llaves de acceso y de seguridad
account-identities = Cuentas conectadas
account-second-factors = Verificación en dos pasos
account-backup-codes = Códigos de respaldo
account-accounts = Cuentas en este navegador
account-sessions = Dónde tiene la sesión abierta
account-login-history = Historial de inicios de sesión
account-delegations = En su nombre
account-organizations = Organizaciones
account-sso = Inicio de sesión único
account-data = Sus datos
account-proven = confirmado
account-is-set = definida
account-is-not-set = sin definir
account-apps = Aplicaciones de autenticación
account-count = { $count }
account-save = Guardar
account-profile-text = Las aplicaciones a las que permite ver su perfil ven lo que escribe aquí.
account-email = Dirección de correo
account-email-text = Su nueva dirección vale en cuanto abra el enlace que le enviamos a ella. Hasta entonces sigue la actual.
account-phone = Número de teléfono
account-phone-text = Enviamos un código al número para comprobar que es suyo. Después podrá iniciar sesión con los códigos que se envían a él y usarlos donde se pida una segunda prueba.
account-phone-label = Nuevo número de teléfono
account-phone-sent = Hemos enviado un código a { $number }. El número vale en cuanto escriba el código.
new-address-label = Nueva dirección de correo
new-address-mail = Enviar el enlace
new-address-title = Cambiar la dirección de correo
new-address-text = ¿Debe ser { $email } la dirección de su cuenta?
account-password-first = Todavía no tiene contraseña. Con una puede iniciar sesión en cualquier navegador.
account-password-text = En cuanto guarde una contraseña nueva, se cerrarán sus demás sesiones.
given-name-label = Nombre
family-name-label = Apellidos
nickname-label = Apodo
passkeys-text = Con una llave de acceso inicia sesión con su huella, su rostro o su PIN en lugar de una contraseña. Solo sirve en esta dirección, de modo que nadie puede sonsacársela.
passkeys-none = Aún no tiene ninguna llave de acceso.
passkeys-add = Añadir una llave de acceso
security-keys-add = Añadir una llave de seguridad
security-keys-text = Una llave de seguridad es un pequeño dispositivo que toca como segundo paso al iniciar sesión.
passkeys-security-key = Llave de seguridad, después de la contraseña
passkeys-synced = Copiada a sus otros dispositivos
passkeys-bound = Solo en un dispositivo
passkeys-elsewhere = Sirve en { $host }, no aquí.
passkeys-present = Este dispositivo ya tiene una llave de acceso de su cuenta.
passkeys-not-made = No se añadió ninguna llave de acceso. Inténtelo de nuevo cuando quiera.
passkeys-not-able = Este dispositivo no puede crear una llave de acceso que sirva aquí. Use otro dispositivo o una llave de seguridad.
identities-text = Puede entrar aquí con cuentas que tiene en otros sitios. Cada una abre esta cuenta, igual que sus otras formas de entrar.
identities-none = No hay ninguna cuenta conectada.
identities-add = Conectar una cuenta
identities-connect = Conectar { $name }
second-factors-text = Con una aplicación de autenticación en su teléfono, un primer paso solo, como una contraseña, no basta para entrar como usted.
second-factors-add = Añadir una aplicación
credential-name = Nombre
credential-rename = Cambiar el nombre
credential-remove = Quitar
credential-added = Añadido el { $day }
credential-used = usado por última vez el { $day }
credential-ends = hasta el { $day }
trusted-browsers = Navegadores en los que no se pregunta
trusted-browsers-forget = Volver a preguntar en todos
backup-codes-text = Un código de respaldo le deja entrar una vez cuando no tiene el teléfono a mano. Guarde los códigos en papel, lejos del teléfono.
backup-codes-left = { $count ->
    [0] No tiene ninguno.
    [one] Le queda { $count } código.
   *[other] Le quedan { $count } códigos.
}
backup-codes-make = Crear códigos nuevos
backup-codes-note = Los códigos nuevos anulan los anteriores.
backup-codes-once = Imprima o anote estos códigos ahora. No se volverán a mostrar.
backup-codes-copy = Copiar los códigos
backup-codes-copied = Los códigos están copiados.
backup-codes-print = Imprimir
backup-codes-noted = He guardado los códigos
session-here = este navegador
session-unknown = Navegador desconocido
session-since = Inicio de sesión
session-seen = visto
session-end = Cerrar esa sesión
sessions-end-others = Cerrar las demás sesiones
accounts-text = Puede tener aquí varias cuentas con la sesión iniciada y cambiar de una a otra. Cada una permanece abierta hasta que cierre su sesión.
accounts-present = en uso
accounts-use = Cambiar a esta cuenta
accounts-end = Cerrar sesión
accounts-add = Añadir otra cuenta
accounts-full = Este navegador ya no admite más cuentas. Al añadir una se cierra la sesión de la que lleva más tiempo sin usarse.
accounts-end-all = Cerrar la sesión de todas las cuentas
login-history-text = Cuándo y desde dónde alguien inició sesión en su cuenta, y lo que falló, en los últimos tres meses.
login-history-none = Nadie ha iniciado sesión todavía desde que esto se guarda.
login-history-not-you = ¿Alguno de ellos no fue usted?
login-success = Sesión iniciada
login-failure = Fallido
login-refused = Rechazado
login-disowned = No fue usted
login-when = Cuándo
login-with = Con
login-from = Desde
login-by-password = con contraseña
login-by-code = con un código
login-by-key = con llave de acceso o llave de seguridad
login-by-organization = por su organización
login-by-provider = por otro proveedor
login-by-trusted-browser = en un navegador de confianza
login-new-device = No había iniciado sesión antes con este navegador.
login-new-network = No había iniciado sesión antes desde esta red.
login-unusual-hour = No suele iniciar sesión a esta hora del día.
login-impossible-travel = Poco antes inició sesión en un lugar demasiado lejano para haber viajado desde allí.
login-many-failures = Varios intentos de iniciar sesión habían fallado en un día.
login-disposable-address = Su dirección es de un proveedor de direcciones desechables.
undo-address-title = ¿Fue usted?
undo-address-text = La cuenta que tenía la dirección { $email } ahora tiene otra.
undo-address-yes = Si la cambió usted, no tiene que hacer nada: cierre esta página.
undo-address-submit = No, quiero recuperar mi dirección
undo-address-hint = La cuenta vuelve entonces a tener esta dirección. Terminamos todo lo que está en curso en ella, en todos los dispositivos, y quitamos lo que se añadió por último. Si tiene contraseña, usted elige una nueva.
was-this-you-title = ¿Fue usted?
was-this-you-entered = Alguien inició sesión en su cuenta.
was-this-you-refused = Alguien tenía lo necesario para iniciar sesión, por ejemplo su contraseña, y no lo dejamos entrar, porque el inicio de sesión era demasiado inusual.
was-this-you-yes = Si fue usted, no tiene que hacer nada: cierre esta página.
was-this-you-no = No, no fui yo
was-this-you-hint = Entonces terminamos todo lo que está en curso en su cuenta, en todos los dispositivos. Si tiene contraseña, usted elige una nueva.
delegations-text = Aplicaciones y agentes que actúan por usted en otros servicios. Lo que termine aquí acaba de inmediato, junto con todo lo que se derivó de ello.
delegations-none = En este momento nada actúa por usted.
delegation-purpose = Para qué:
delegation-end = Terminar lo que { $app } hace por usted
organizations-none = Aquí no pertenece a ninguna organización. Las invitaciones aparecen en esta página.
organization-roles = Sus roles:
organization-leave = Salir de { $organization }
organization-sso = Probar el inicio de sesión único de { $organization }
account-sso-text = Compruebe si las personas de sus organizaciones pueden llegar a su proveedor. Una prueba lee, paso a paso, lo que publica el proveedor. No inicia la sesión de nadie ni cambia ningún ajuste.
sso-none = Ninguna de sus organizaciones tiene todavía un proveedor.
sso-connection-on = activada
sso-connection-off = desactivada
sso-test = Probar { $name }
sso-test-usable = Las personas pueden llegar a este proveedor.
sso-test-unusable = Todavía no se puede iniciar sesión a través de este proveedor.
sso-test-cut = Se han omitido los pasos posteriores al que falló. Corríjalo y vuelva a probar.
sso-test-first-sign-in = Solo un inicio de sesión muestra si el proveedor acepta este cliente y su secreto, y qué dice de las personas. Cuando la conexión esté activada, abra la página de inicio de sesión en una ventana privada y elija «Iniciar sesión con SSO», con una dirección de su organización.
sso-redirect-uri = URI de redirección que debe estar registrada en el proveedor:
sso-backchannel-uri = URI de cierre de sesión back-channel, si el proveedor la pide:
sso-outcome-passed = Correcto
sso-outcome-warning = Advertencia
sso-outcome-failed = Error
sso-step-discovery = Descripción del proveedor
sso-step-issuer = Nombre del proveedor
sso-step-endpoints = Direcciones
sso-step-keys = Claves
sso-step-client-auth = Autenticación de este cliente
sso-step-id-token = Firma de los ID tokens
sso-step-pkce = Protección de los códigos (PKCE)
sso-found-described = El proveedor se describe en { $value }.
sso-found-unreachable = No se pudo acceder a { $value }. Compruebe que el emisor (issuer) de la conexión es correcto y que se puede acceder al proveedor desde internet.
sso-found-refused = El proveedor respondió a { $value } con un error. Busque el emisor (issuer) correcto en los ajustes del proveedor.
sso-found-no-document = Lo que hay en { $value } no describe a un proveedor. Busque el emisor (issuer) correcto en los ajustes del proveedor.
sso-found-same-issuer = El proveedor se llama como dice la conexión.
sso-found-other-issuer = El proveedor se llama «{ $value }». Ponga exactamente eso como emisor (issuer) de la conexión.
sso-found-endpoints = Se puede llamar a las direcciones de inicio de sesión, tokens y claves.
sso-found-endpoint-missing = En la descripción del proveedor falta { $value }. Pida al administrador del proveedor que lo publique.
sso-found-endpoint-out-of-reach = No se puede llamar desde aquí a la dirección de { $value }: debe ser pública y empezar por https. Pida al administrador del proveedor que la corrija.
sso-found-keys = Las claves de { $value } se entienden.
sso-found-no-keys = No se pudo leer ninguna clave utilizable en { $value }. Pida al administrador del proveedor que publique allí un conjunto de claves (JWKS).
sso-found-client-auth = El proveedor acepta { $value }, como está puesto en la conexión.
sso-found-other-client-auth = El proveedor no acepta la autenticación de cliente que está puesta. Ponga una de estas: { $value }.
sso-found-id-tokens = El proveedor firma los ID tokens con { $value }.
sso-found-other-id-tokens = El proveedor no firma los ID tokens de ninguna manera que se acepte aquí. Ponga allí una de estas: { $value }.
sso-found-pkce = El proveedor comprueba los códigos con S256.
sso-found-pkce-unsaid = El proveedor no dice que admita PKCE con S256. El inicio de sesión funciona igualmente, y el desafío se envía de todos modos. Active PKCE allí si puede.
invitation-to = Invitación a { $organization }
invitation-join = Unirse a { $organization }
invitation-decline = Rechazar
data-text = Descargue lo que se guarda aquí sobre usted: su perfil, sus formas de iniciar sesión sin los secretos, dónde tiene la sesión abierta, lo que permitió a las aplicaciones y sus organizaciones. El archivo es JSON, que otros programas pueden leer.
data-submit = Descargar
account-deletion = Eliminar su cuenta
deletion-text = Se cerrarán de inmediato todas sus sesiones. { $count ->
    [0] Su cuenta desaparece entonces, con todo lo que contiene.
    [one] Durante un día puede conservar su cuenta: inicie sesión aquí y elija «Conservar mi cuenta». No basta con iniciar sesión. Después desaparece con todo lo que contiene.
   *[other] Durante { $count } días puede conservar su cuenta: inicie sesión aquí y elija «Conservar mi cuenta». No basta con iniciar sesión. Después desaparece con todo lo que contiene.
}
deletion-sure = Quiero eliminar mi cuenta.
deletion-submit = Eliminar mi cuenta
deletion-due = Su cuenta se eliminará el { $day }.
deletion-keep = Conservar mi cuenta

## Contraseña olvidada
forgot-title = Restablecer la contraseña
forgot-text = Díganos quién es y le enviaremos un enlace para elegir una contraseña nueva.
forgot-submit = Enviar enlace
forgot-sent-text = Si hay una cuenta que coincida, un enlace para elegir una contraseña nueva va de camino a su correo.
reset-title = Elija una contraseña nueva
reset-text = para { $account }
new-password-label = Contraseña nueva
reset-submit = Guardar contraseña

## Consentimiento
consent-title = { $app } quiere acceder a su cuenta
consent-switch = ¿No es usted?
consent-allow = Permitir
consent-deny = No permitir
consent-note = Permítalo solo si confía en { $app }.
consent-home = Acerca de esta aplicación
scope-openid = Saber quién es usted cuando inicia sesión
scope-profile = Ver su perfil, como su nombre y su foto
scope-email = Ver su dirección de correo
scope-address = Ver su dirección postal
scope-phone = Ver su número de teléfono
scope-offline-access = Conservar este acceso cuando usted no esté
claim-name = Ver su nombre completo
claim-given-name = Ver su nombre de pila
claim-family-name = Ver sus apellidos
claim-middle-name = Ver su segundo nombre
claim-nickname = Ver su apodo
claim-preferred-username = Ver su nombre de usuario
claim-profile = Ver la dirección de su página de perfil
claim-picture = Ver su foto
claim-website = Ver la dirección de su sitio web
claim-gender = Ver su género
claim-birthdate = Ver su fecha de nacimiento
claim-zoneinfo = Ver su zona horaria
claim-locale = Ver su idioma
claim-updated-at = Ver cuándo cambió su perfil por última vez
claim-email-verified = Ver si su dirección de correo está confirmada
claim-phone-number-verified = Ver si su número de teléfono está confirmado

## Elegir una cuenta
select-title = Elija una cuenta
select-other = Usar otra cuenta
organization-title = Elija una organización
organization-legend = Sus organizaciones
organization-submit = Continuar
organization-deny = Cancelar
organization-none = Su cuenta todavía no pertenece a ninguna organización. Pida a un administrador de su organización que le añada, o use otra cuenta.
organization-none-named = Su cuenta no pertenece a la organización que pide la aplicación. Use otra cuenta o vuelva atrás.

## What people are asked for
field-optional = (opcional)
field-choose = Elegir
complete-title = Antes de continuar
complete-text = { $tenant } necesita esto de usted.
complete-later = Ahora no
terms-accept = Acepto:
terms-submit = Aceptar
terms-none = Todavía no ha aceptado ningún documento.
terms-version = Versión:
terms-accepted = Aceptado:
account-terms = Condiciones
account-terms-text = Los documentos que ha aceptado aquí, y cuándo.
account-details = Sus datos personales
account-details-text = Lo que { $tenant } le pide.

## Dispositivos y aprobaciones
device-title = Conectar un dispositivo
device-text = Introduzca el código que muestra su dispositivo.
device-code-label = Código
device-submit = Continuar
device-warning = Continúe solo si lo ha empezado usted, en un dispositivo que tiene delante. Nadie que le ofrezca ayuda necesita un código suyo.
approvals-title = Pendiente de su aprobación
approvals-none = No hay nada pendiente.
approvals-warning = Permita solo lo que haya empezado usted, y solo si todo coincide con lo que ve allí. Si alguien le ha enviado aquí, no lo permita: entraría en su cuenta.
approvals-code = Su dispositivo debe mostrar este código:
approvals-message = La otra pantalla debe mostrar este mensaje:
approvals-expires = Caduca en { $duration }.

## Cerrar sesión
signout-title = ¿Cerrar sesión?
signout-app = { $app } pide cerrar su sesión.
signout-text = Se cerrará su sesión de { $tenant } en este navegador.
signout-choose = ¿De qué cuenta quiere cerrar la sesión en este navegador?
signout-submit = Cerrar sesión
signout-stay = Para mantener la sesión, cierre esta página.
signedout-title = Ha cerrado la sesión
signedout-text = Ya puede cerrar esta ventana.
signedout-others = Otras cuentas siguen con la sesión iniciada en este navegador.
signedout-others-link = Ver cuentas

## De vuelta a la aplicación
formpost-title = Ya casi está
formpost-text = Le llevamos de vuelta a la aplicación.

## Errores y avisos de los formularios
error-wrong-credentials = El nombre de usuario o la contraseña no son correctos. Inténtelo de nuevo.
error-too-many-attempts = Demasiados intentos. Vuelva a intentarlo dentro de { $duration }.
error-unavailable-for = El servicio no está disponible por el momento. Vuelva a intentarlo dentro de { $duration }.
error-locked-out = Demasiados intentos. Espere { $duration } o restablezca su contraseña.
error-sso-unknown = No hay inicio de sesión único para esta dirección. Inicie sesión de otra manera.
error-sso-failed = El inicio de sesión de su organización no funcionó. Inténtelo de nuevo o pregunte a su administrador.
error-sso-no-member = Ha iniciado sesión en su organización, pero esta no le ha dado acceso aquí. Pregunte a su administrador.
error-social-failed = No se ha podido entrar con esa cuenta. Inténtelo de nuevo o entre de otra forma.
error-provider-not-fresh = Aquí hace falta iniciar sesión de nuevo, y su sesión en ese sitio es demasiado antigua. Vuelva a iniciar sesión allí o entre de otra forma.
error-provider-declined = Se canceló el inicio de sesión en ese sitio, o su cuenta allí no le permite usar este servicio. Inténtelo de nuevo o entre de otra forma.
error-provider-unfinished = El inicio de sesión en ese sitio no se completó: allí aún se le pide algo. Inténtelo de nuevo hasta el final o entre de otra forma.
error-provider-unavailable = El inicio de sesión en ese sitio no está disponible en este momento. Inténtelo de nuevo más tarde o entre de otra forma.
error-social-unknown = Todavía no hay aquí ninguna cuenta conectada con esa. Entre de otra forma y conéctela después en su cuenta.
error-social-no-account = No hay ninguna cuenta con su dirección, y aquí no se pueden crear cuentas nuevas.
error-code-wrong = El código es incorrecto, demasiado antiguo o ya se usó. Espere al siguiente e inténtelo de nuevo.
error-app-lost = La clave de su aplicación de autenticación se ha perdido aquí, por lo que sus códigos ya no funcionan. Inicie sesión de otra manera, por ejemplo con un código de respaldo; después configure de nuevo la aplicación en su cuenta y quite la antigua. Si no hay otra manera, consulte a los responsables de este servicio.
error-backup-code-wrong = Ese código de respaldo es incorrecto o ya se usó. Compruebe cómo está escrito o use otro.
error-mail-code-wrong = Ese código es erróneo, demasiado antiguo o ya se usó. Mire el correo más reciente o pida un código nuevo.
error-sign-in-unusual = Este inicio de sesión es demasiado inusual para admitirlo. Use un navegador en el que ya haya iniciado sesión o una llave de acceso, o elija una contraseña nueva. Le hemos enviado un correo.
error-sign-in-unusual-untold = Este inicio de sesión es demasiado inusual para admitirlo. Use un navegador en el que ya haya iniciado sesión o una llave de acceso.
error-way-not-accepted = Esta forma de iniciar sesión no se acepta aquí.
error-sign-in-refused = Ahora no puede iniciar sesión aquí. Pregunte a la organización cuya aplicación quiere usar.
error-sign-in-unavailable = Ahora no es posible iniciar sesión. Inténtelo de nuevo en un momento.
error-second-factor-out-of-reach = Este inicio de sesión requiere la verificación en dos pasos y su cuenta no la tiene configurada. Pregunte a la organización cuya aplicación quiere usar.
error-mail-code-not-enough = Un código o enlace por correo no basta para esta cuenta. Inicie sesión de otra manera, por ejemplo con una llave de acceso o su organización.
error-mail-code-needs-password = Un código o enlace por correo no basta para esta cuenta, que aún no tiene contraseña. Elija una con «¿Olvidó la contraseña?» e inicie sesión con ella.
error-text-code-wrong = Ese código es erróneo, demasiado antiguo o ya se usó. Mire el mensaje de texto más reciente o pida un código nuevo.
error-text-code-not-enough = Un código por mensaje de texto no basta para esta cuenta. Inicie sesión con su contraseña, una llave de acceso o su organización.
error-provider-not-enough = El proveedor que ha iniciado su sesión solo vale aquí, lo que no basta para cambiar cómo entra en esta cuenta en todas partes. Inicie sesión con su contraseña, una llave de acceso o un código que se le envíe.
error-provider-alone = Su organización solo le deja iniciar sesión en su proveedor, que solo vale aquí. Eso no basta para esta página: diríjase al administrador de su organización.
error-phone-invalid = Escriba un número de teléfono con el prefijo del país, por ejemplo +34 911 23 45 67.
error-phone-same = Su cuenta ya tiene este número.
error-email-enforced = Su organización decide cómo inicia sesión, según esta dirección. Pida otra a su administrador.
error-phone-taken = Otra cuenta tiene este número. Quítelo primero allí.
error-name-invalid = Escriba cada nombre en una línea de 200 caracteres como máximo.
error-credential-name = Escriba el nombre en una línea de 60 caracteres como máximo.
error-second-factor-needed = Aquí se exige la verificación en dos pasos. Añada otra aplicación antes de quitar esta.
error-second-factor-missing = Los códigos de respaldo sustituyen al segundo paso de la verificación. Configure primero la verificación en dos pasos.
error-organization-owned = Usted es propietario de esta organización. Primero nombre propietario a otro miembro.
error-sso-tested = Esta conexión se acaba de probar. Espere diez segundos y vuelva a probarla.
error-deletion-refused = Su cuenta no se puede eliminar ahora. Si una organización le pertenece, pásela antes a otro miembro.
error-deletion-unsure = Marque la casilla para eliminar su cuenta.
error-last-operator = Usted es la última persona que puede administrar este servicio. Dé antes los mismos derechos a otro miembro.
error-username-missing = Escriba su correo o su nombre de usuario.
error-captcha-missing = Confirme que no es un robot.
error-captcha-wrong = La comprobación falló o tardó demasiado. Inténtelo de nuevo.
error-captcha-unknown = Ahora no se puede hacer la comprobación contra robots. Inténtelo de nuevo en un momento.
captcha-working = Comprobando que no es un robot…
captcha-done = Comprobado: no es un robot.
captcha-needs-script = Este paso necesita JavaScript: mantiene alejados a los robots. Actívelo y vuelva a cargar la página.
captcha-failed = La comprobación contra robots no se pudo cargar. Si algo la bloquea, como un bloqueador de anuncios, permítala y vuelva a cargar la página.
error-password-missing = Escriba su contraseña.
error-answers-incomplete = Falta algo o no es correcto. Revise lo que está marcado.
error-terms-not-accepted = Acepte esto para continuar.
error-answer-missing = Rellene esto.
error-answer-invalid = Esto no se puede usar aquí. Revise lo que ha escrito.
error-answer-too-short = { $count ->
    [one] Use al menos un carácter.
   *[other] Use al menos { $count } caracteres.
}
error-answer-too-long = { $count ->
    [one] Use como máximo un carácter.
   *[other] Use como máximo { $count } caracteres.
}
error-name-missing = Escriba su nombre.
error-email-invalid = Escriba una dirección de correo, por ejemplo usted@example.com.
error-email-same = Su cuenta ya tiene esta dirección.
error-registration-refused = Con esta dirección no puede registrarse aquí. Use otra, o pregunte a la organización cuya aplicación quiere usar.
error-registration-unavailable = Ahora no es posible registrarse. Inténtelo de nuevo en un momento.
error-password-too-short = { $count ->
    [one] La contraseña necesita al menos { $count } carácter.
   *[other] La contraseña necesita al menos { $count } caracteres.
}
error-password-too-long = { $count ->
    [one] La contraseña puede tener como máximo { $count } carácter.
   *[other] La contraseña puede tener como máximo { $count } caracteres.
}
error-password-too-common = Esta contraseña es fácil de adivinar. Elija otra.
error-password-breached = Esta contraseña aparece en la filtración de otro sitio. Elija otra.
error-password-unchecked = Ahora no se puede comprobar esta contraseña. Inténtelo de nuevo en un momento.
error-passkey-unknown = Esta llave de acceso no se conoce aquí. Quizá se eliminó de su cuenta: inicie sesión de otra forma.
error-passkey-late = Ha tardado demasiado. Inténtelo de nuevo.
error-passkey-locked = Desbloquee su llave de acceso cuando el dispositivo lo pida, con su huella, su rostro o su PIN.
error-passkey-failed = No se pudo comprobar la llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.
error-last-credential = Es la última forma de entrar en su cuenta. Añada antes otra.
error-passkey-taken = No se pudo añadir esta llave de acceso: ya está en uso o tiene demasiadas. Elimine alguna que ya no use.
error-user-code = Este código no es correcto o ha caducado. Mire de nuevo su dispositivo.
notice-sign-in-again = Inicie sesión de nuevo para continuar.
notice-one-more-step = Un paso más: demuestre de otra manera que es usted.
notice-address-mailed = Hemos enviado un enlace a la nueva dirección. Ábralo para confirmar el cambio.
notice-phone-added = El número de teléfono está confirmado.
notice-phone-removed = Se quitó el número de teléfono.
notice-account-kept = Su cuenta se conserva.
notice-terms-accepted = Ha aceptado.
notice-details-saved = Sus datos se han guardado.
notice-profile-saved = Su perfil se ha guardado.
notice-credential-added = Añadido.
notice-social-known-address = Ya hay una cuenta con su dirección. Entre en ella como antes; a partir de entonces se abrirá también con la otra cuenta.
notice-social-not-linked = Todavía no conocemos esa cuenta, y no trae ninguna dirección confirmada. Entre como antes o cree una cuenta aquí; a partir de entonces se abrirá también con la otra cuenta.
notice-identity-linked = Conectada.
notice-identity-taken = Esa cuenta ya está conectada con otra cuenta aquí, o la suya ya está conectada con otra del mismo proveedor.
notice-credential-renamed = Nombre cambiado.
notice-credential-removed = Quitado.
notice-browsers-forgotten = Todos los navegadores volverán a pedir el segundo paso.
notice-sessions-ended = Sesión cerrada allí.
notice-account-switched = Ha cambiado de cuenta.
notice-account-signed-out = Ha cerrado la sesión de esa cuenta.
notice-other-account = Esa página era de otra cuenta, así que no se ha cambiado nada.
notice-signed-out-meanwhile = Su sesión se cerró entretanto, así que no se ha cambiado nada. Inicie sesión y vuelva a rellenar el formulario.
notice-link-of-another = Este enlace es de otra cuenta, no de la que tiene la sesión iniciada aquí. Inicie sesión con la cuenta que lo pidió.
notice-organization-left = Ha salido de la organización.
notice-organization-joined = Ahora pertenece a la organización.
notice-invitation-declined = Ha rechazado la invitación.
notice-invitation-gone = La invitación ya no es válida.
notice-delegation-ended = Ya no actúa por usted.
notice-password-changed = Su contraseña ha cambiado. Inicie sesión con la nueva.

## Resultados
done-email-verified-title = Correo confirmado
done-email-verified-text = Su cuenta está lista.
done-deletion-begun-title = Su cuenta se eliminará
done-deletion-begun-text = Se han cerrado todas sus sesiones. Le hemos escrito cómo conservarla.
done-address-changed-title = Dirección de correo cambiada
done-address-changed-text = A partir de ahora, inicie sesión con su nueva dirección.
done-address-restored-title = Ha recuperado su dirección
done-address-restored-text = La cuenta tiene de nuevo esta dirección, y hemos terminado todo lo que estaba en curso en ella. Revise sus modos de iniciar sesión la próxima vez.
done-address-occupied-title = Otra cuenta tiene ahora esta dirección
done-address-occupied-text = El cambio solo se puede deshacer mientras ninguna otra cuenta tenga la dirección. Avise a los responsables de este servicio.
done-password-changed-title = Contraseña cambiada
done-password-changed-text = A partir de ahora, inicie sesión con su contraseña nueva.
done-sign-in-disowned-title = Gracias por avisarnos
done-sign-in-disowned-text = Hemos terminado todo lo que estaba en curso en su cuenta. Revise sus modos de iniciar sesión la próxima vez.
done-password-taken-title = Gracias por avisarnos
done-password-taken-text = Hemos terminado todo lo que estaba en curso en su cuenta y su contraseña ya no funciona. Pida una nueva a su administrador, o a sus personas de confianza si las ha elegido.
done-changed-since-title = Este enlace llega demasiado tarde
done-changed-since-text = Después de este inicio de sesión se cambió la contraseña, o ya se terminó todo. Si no fue usted, elija ahora una contraseña nueva: con ella termina todo lo que está en curso en su cuenta. Después revise sus modos de iniciar sesión.
done-invitation-accepted-title = Le damos la bienvenida
done-invitation-accepted-text = Ahora es miembro de la organización.
done-opened-elsewhere-title = Abra el enlace donde lo pidió
done-opened-elsewhere-text = Solo inicia sesión en el navegador en el que lo pidió. Ábralo allí o pida un enlace nuevo en este navegador. Si no pidió ningún enlace, ignore el correo.
done-link-expired-title = Este enlace ya no sirve
done-link-expired-text = Ya se ha usado o es demasiado antiguo. Pida uno nuevo.
done-refused-title = Acceso no concedido
done-refused-text = No se ha compartido nada. Puede cerrar esta ventana.
done-approved-title = Permitido
done-approved-text = Puede volver a su dispositivo. Seguirá solo en un momento.
done-support-allowed-title = Permitido
done-support-allowed-text = El equipo de soporte ya puede actuar en su cuenta durante el tiempo solicitado. Puede cerrar esta ventana.
done-decided-title = Esta solicitud está cerrada
done-decided-text = Ya se ha respondido o su plazo ha terminado. Ahora no se ha cambiado nada.

## Páginas de error
problem-request-title = Esta solicitud no se puede completar
problem-request-text = La aplicación envió algo que no podemos aceptar. Vuelva a ella e inténtelo de nuevo; si no ayuda, avise a sus responsables.
problem-not-found-title = Página no encontrada
problem-not-found-text = No hay nada en esta dirección. Compruébela o vuelva al lugar de donde vino.
problem-large-title = Esto es demasiado grande
problem-large-text = Su navegador envió más de lo que aceptamos. Vuelva atrás y envíe menos. Si ocurre en todas las páginas, elimine las cookies de este sitio.
problem-rate-title = Demasiadas solicitudes
problem-rate-text = Espere un poco antes de volver a intentarlo.
problem-expired-title = Esto ha caducado
problem-expired-text = Vuelva a la aplicación y empiece de nuevo.
problem-denied-title = Acceso denegado
problem-denied-text = No tiene permiso para hacer esto. Si cree que debería tenerlo, pregunte a los responsables de este servicio.
problem-server-title = Algo ha fallado
problem-server-text = El fallo es nuestro. Inténtelo de nuevo; si se repite, indique el ID de solicitud que figura abajo.
problem-unavailable-title = Volvemos enseguida
problem-unavailable-text = El servicio no está disponible por el momento. Inténtelo de nuevo en breve.
problem-retry = Intentar de nuevo
problem-code = Código de error
problem-detail = Detalles para desarrolladores
problem-request = ID de solicitud

## Correos
mail-greeting = Hola, { $name }:
mail-greeting-plain = Hola:
mail-expires = El enlace sirve una sola vez, durante { $duration }.
mail-link = Si el botón no funciona, copie esta dirección en su navegador:
duration-minutes = { $count ->
    [one] { $count } minuto
   *[other] { $count } minutos
}
duration-days = { $count ->
    [one] { $count } día
   *[other] { $count } días
}
duration-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
}
mail-verify-subject = Confirme su correo para { $tenant }
mail-verify-text = Confirme que esta es su dirección para terminar de crear su cuenta de { $tenant }.
mail-verify-button = Confirmar correo
mail-verify-ignore = Si no ha creado una cuenta, puede ignorar este mensaje.
mail-prove-subject = { $tenant }: confirme su dirección de correo
mail-prove-text = Alguien, esperamos que usted, quiere iniciar sesión en { $tenant } con la cuenta que tiene esta dirección. Confirme que la dirección es suya para continuar.
mail-prove-button = Confirmar correo
mail-prove-ignore = Si no fue usted, ignore este mensaje. La dirección queda sin confirmar.
mail-reset-subject = { $tenant }: restablezca su contraseña
mail-reset-text = Alguien, esperamos que usted, ha pedido en { $tenant } una contraseña nueva para la cuenta con esta dirección. Elíjala aquí.
mail-reset-button = Elegir una contraseña nueva
mail-reset-ignore = Si no fue usted, ignore este mensaje. Su contraseña sigue siendo la misma.
mail-recovery-subject = { $tenant }: elija una contraseña nueva
mail-recovery-text = Un administrador de { $tenant } le envía este enlace para elegir una contraseña nueva para la cuenta con esta dirección.
mail-recovery-button = Elegir una contraseña nueva
mail-recovery-ignore = Si no necesita una contraseña nueva, ignore este mensaje. Su contraseña sigue siendo la misma.
mail-invitation-subject = { $tenant } le invita
mail-invitation-text = Se le invita a ser miembro de { $tenant } con la cuenta que tiene esta dirección.
mail-invitation-button = Aceptar la invitación
mail-invitation-ignore = Si no lo desea, ignore este mensaje. No pasará nada.
mail-organization-invitation-subject = { $tenant }: { $organization } le invita
mail-organization-invitation-text = Se le invita a { $organization } en { $tenant } con la cuenta que tiene esta dirección.
mail-organization-invitation-button = Ver la invitación
mail-organization-invitation-ignore = Si no lo desea, ignore este mensaje. No pasará nada.
mail-exists-subject = { $tenant }: inicie sesión con su cuenta
mail-exists-text = Alguien, esperamos que usted, intentó crear una cuenta en { $tenant } con esta dirección. Ya existe una cuenta con esta dirección: este enlace inicia sesión con ella y le hace miembro de { $tenant } si aún no lo es.
mail-exists-button = Iniciar sesión
mail-exists-ignore = Si no fue usted, ignore este mensaje. No ha cambiado nada.
mail-locked-subject = { $tenant }: demasiadas contraseñas erróneas para su cuenta
mail-locked-text = Alguien probó en { $tenant } demasiadas contraseñas erróneas para la cuenta con esta dirección. En los navegadores que no ha usado antes, el inicio de sesión queda suspendido durante { $duration }. Donde ya ha iniciado sesión, todavía puede hacerlo, y una contraseña nueva pone fin a la suspensión.
mail-locked-button = Elegir una contraseña nueva
mail-locked-ignore = Si su contraseña es buena y no la usa en ningún otro sitio, no tiene que hacer nada. Este mensaje llega solo una vez.
mail-new-device-subject = { $tenant }: un nuevo inicio de sesión en su cuenta
mail-new-device-text = Alguien acaba de iniciar sesión en su cuenta en { $tenant } con un navegador que usted no había usado antes, o de un modo inusual. ¿Fue usted? Vea cuándo y desde dónde, y díganos si no fue usted.
mail-new-device-button = Verlo
mail-new-device-ignore = Si fue usted, no tiene que hacer nada.
mail-sign-in-refused-subject = { $tenant }: rechazamos un inicio de sesión en su cuenta
mail-sign-in-refused-text = Alguien acaba de intentar iniciar sesión en su cuenta en { $tenant } y tenía lo necesario, por ejemplo su contraseña. No lo dejamos entrar, porque el inicio de sesión era demasiado inusual. ¿Fue usted? Vea cuándo y desde dónde, y díganos si no fue usted.
mail-sign-in-refused-button = Verlo
mail-sign-in-refused-ignore = Si fue usted, inicie sesión con un navegador que ya haya usado o con una llave de acceso.
mail-signin-link-subject = { $tenant }: su enlace para iniciar sesión
mail-signin-link-text = Este es el enlace para iniciar sesión en { $tenant }. Ábralo en el navegador en el que lo pidió.
mail-signin-link-button = Iniciar sesión
mail-signin-link-ignore = Si no pidió un enlace, ignore este mensaje. El enlace solo inicia sesión en el navegador que lo pidió.
text-sign-in = { $code } es su código para iniciar sesión en { $tenant }. Sirve durante { $duration }. No se lo dé a nadie.
text-new-password = { $code } es su código para elegir una nueva contraseña en { $tenant }. Sirve durante { $duration }. No se lo dé a nadie.
text-new-number = { $code } confirma su número de teléfono en { $tenant }. El código sirve durante { $duration }. No se lo dé a nadie.
mail-code-subject = { $tenant }: su código para iniciar sesión
mail-code-text = Este es el código para iniciar sesión en { $tenant }. Escríbalo en la página que lo pidió y no se lo dé a nadie. Sirve una sola vez, durante { $duration }.
mail-code-button = Su código
mail-code-ignore = Si no pidió un código, ignore este mensaje. Sin el código no entra nadie.
mail-credential-added-subject = { $kind ->
    [app] { $tenant }: se ha añadido una aplicación de autenticación a su cuenta
    [backup-codes] { $tenant }: nuevos códigos de respaldo para su cuenta
    [passkey] { $tenant }: se ha añadido una llave de acceso a su cuenta
    [security-key] { $tenant }: se ha añadido una llave de seguridad a su cuenta
    [phone] { $tenant }: se ha añadido un número de teléfono a su cuenta
    [identity] { $tenant }: se ha conectado otra cuenta con la suya
    [wallet] { $tenant }: se ha añadido un monedero a su cuenta
   *[other] { $tenant }: se ha añadido una forma de iniciar sesión a su cuenta
}
mail-credential-added-text = { $kind ->
    [app] Se ha añadido una aplicación de autenticación a su cuenta en { $tenant }. Sus códigos cuentan como prueba de que es usted.
    [backup-codes] Se han creado nuevos códigos de respaldo para su cuenta en { $tenant }. Los anteriores ya no sirven.
    [passkey] Se ha añadido una llave de acceso a su cuenta en { $tenant }.
    [security-key] Se ha añadido una llave de seguridad a su cuenta en { $tenant }.
    [phone] Se ha añadido un número de teléfono a su cuenta en { $tenant }. Los códigos que se envían a él cuentan como prueba de que es usted.
    [identity] Se ha conectado con su cuenta en { $tenant } una cuenta que existe en otro sitio. Desde ahora abre su cuenta.
    [wallet] Se ha añadido un monedero a su cuenta en { $tenant }. Desde ahora abre su cuenta.
   *[other] Se ha añadido a su cuenta en { $tenant } una forma de demostrar que es usted.
}
mail-credential-added-button = No fui yo
mail-credential-added-ignore = Si fue usted, no hay nada que hacer.
mail-credential-removed-subject = { $kind ->
    [app] { $tenant }: se ha eliminado una aplicación de autenticación de su cuenta
    [backup-codes] { $tenant }: se han eliminado códigos de respaldo de su cuenta
    [passkey] { $tenant }: se ha eliminado una llave de acceso de su cuenta
    [security-key] { $tenant }: se ha eliminado una llave de seguridad de su cuenta
    [phone] { $tenant }: se ha eliminado su número de teléfono de su cuenta
    [identity] { $tenant }: se ha eliminado una cuenta conectada de su cuenta
    [wallet] { $tenant }: se ha eliminado un monedero de su cuenta
   *[other] { $tenant }: se ha eliminado una forma de iniciar sesión de su cuenta
}
mail-credential-removed-text = { $kind ->
    [app] Se ha eliminado una aplicación de autenticación de su cuenta en { $tenant }.
    [backup-codes] Se han eliminado códigos de respaldo de su cuenta en { $tenant }.
    [passkey] Se ha eliminado una llave de acceso de su cuenta en { $tenant }.
    [security-key] Se ha eliminado una llave de seguridad de su cuenta en { $tenant }.
    [phone] Se ha eliminado su número de teléfono de su cuenta en { $tenant }.
    [identity] Se ha eliminado una cuenta conectada de su cuenta en { $tenant }. Ya no abre su cuenta.
    [wallet] Se ha eliminado un monedero de su cuenta en { $tenant }. Ya no abre su cuenta.
   *[other] Se ha eliminado de su cuenta en { $tenant } una forma de demostrar que es usted.
}
mail-credential-removed-button = No fui yo
mail-credential-removed-ignore = Si fue usted, no hay nada que hacer.
mail-handed-over-subject = Su cuenta en { $tenant } ya está en sus manos
mail-handed-over-text = Ha confirmado que esta dirección es suya. Lo que se había añadido antes a la cuenta ya no la abre: una contraseña, llaves de acceso, aplicaciones, números de teléfono, cuentas conectadas. Se han cerrado todas las sesiones.
mail-handed-over-button = No fui yo
mail-handed-over-ignore = Si fue usted, no hay nada que hacer. Puede volver a añadir en su cuenta lo que era suyo.
mail-deletion-subject = { $tenant }: su cuenta se eliminará
mail-deletion-text = Ha pedido eliminar su cuenta en { $tenant }. Durante { $duration } puede conservarla: siga el enlace, inicie sesión y elija «Conservar mi cuenta». No basta con iniciar sesión. Después desaparece.
mail-deletion-button = Conservar mi cuenta
mail-deletion-ignore = Si quiere eliminarla, no tiene que hacer nada. Si no lo ha pedido, consérvela y cambie su contraseña.
mail-new-address-subject = { $tenant }: confirme su nueva dirección de correo
mail-new-address-text = Quiere usar esta dirección para su cuenta en { $tenant }. Confírmela con este enlace, con la sesión de su cuenta iniciada.
mail-new-address-button = Confirmar la dirección
mail-new-address-ignore = Si no fue usted, ignore este mensaje. No cambia nada.
mail-address-taken-subject = { $tenant }: esta dirección ya tiene una cuenta
mail-address-taken-text = Alguien, esperamos que usted, quiso usar esta dirección para otra cuenta en { $tenant }. Ya pertenece a una cuenta, así que no ha cambiado nada. Para usarla con otra cuenta, primero dé otra dirección a la actual.
mail-address-taken-button = A { $tenant }
mail-address-taken-ignore = Si no fue usted, ignore este mensaje. No cambia nada.
mail-address-changed-subject = { $tenant }: su cuenta tiene otra dirección de correo
mail-address-changed-text = La cuenta que tenía esta dirección en { $tenant } ahora tiene otra. Esta dirección ya no la abre.
mail-address-changed-button = A { $tenant }
mail-address-changed-ignore = Si no fue usted, avise de inmediato a los responsables de este servicio.
mail-address-undo-subject = { $tenant }: su cuenta tiene otra dirección de correo
mail-address-undo-text = La cuenta que tenía esta dirección en { $tenant } ahora tiene otra. Esta dirección ya no la abre. Si no fue usted, deshaga el cambio: su cuenta vuelve a tener esta dirección, y termina todo lo que está en curso en ella. Si tiene contraseña, usted elige una nueva.
mail-address-undo-button = Verlo
mail-address-undo-ignore = Si fue usted, no tiene que hacer nada.
mail-changed-subject = { $tenant }: su contraseña ha cambiado
mail-changed-text = La contraseña de la cuenta con esta dirección acaba de cambiar en { $tenant }. Si fue usted, no tiene que hacer nada.
mail-changed-button = No fui yo
mail-changed-ignore = Si no fue usted, elija de inmediato una contraseña nueva y avise a los responsables de este servicio.
mail-changed-first-subject = { $tenant }: su cuenta ya tiene una contraseña
mail-changed-first-text = La cuenta con esta dirección no tenía contraseña; se acaba de establecer una en { $tenant }. Si fue usted, no tiene que hacer nada.
mail-changed-first-button = No fui yo
mail-changed-first-ignore = Si no fue usted, elija de inmediato una contraseña nueva y avise a los responsables de este servicio.
problem-again-title = Empiece de nuevo
problem-again-text = Esta página no puede continuar: estuvo abierta demasiado tiempo, se abrió en otro navegador o solo por su dirección. Empiece de nuevo desde la aplicación.
problem-back = Volver a { $app }
mismatch-sent = Enviada
mismatch-registered = Registradas
signout-unregistered = La aplicación pidió volver a una dirección que no ha registrado, por lo que desde aquí no se puede volver a ella.
start-account = Ha iniciado sesión como { $account }.
start-approvals = Solicitudes de otros dispositivos
start-text = Aquí inicia sesión. Abra la aplicación que quiere usar; ella le traerá aquí.

## Languages, access, applications that no one has checked
language-name = Español
language = Idioma
sent-resend = Reenviar el mensaje
register-again = Usar otra dirección
forgot-again = Probar otro nombre
signin-for-device = para conectar un dispositivo
signin-for-approvals = para responder a solicitudes de otros dispositivos
signin-for-access = para ver qué pueden hacer las aplicaciones
signin-for-account = para gestionar su cuenta
signin-for-invitation = para aceptar una invitación
select-signed-out = Sesión cerrada
consent-identity = Sobre usted
consent-api = En { $api }
consent-write = Puede hacer cambios
consent-foreign = { $app } no es un servicio de { $tenant }.
consent-unverified = { $app } se ha registrado por sí misma. Nadie en { $tenant } ha comprobado su nombre ni sus datos, y no es un servicio de { $tenant }.
consent-destination = Si lo permite, continuará en
consent-take-back = Puede retirar este permiso en cualquier momento:
consent-organization = Este acceso es válido para su organización:
access-title = Aplicaciones con acceso
access-none = No ha permitido a ninguna aplicación usar su cuenta.
access-remove = Retirar el acceso de { $app }
access-note = Una aplicación a la que retira el acceso lo pierde al instante y tendrá que volver a pedirlo.
leaving-title = Se ha rechazado esta solicitud
leaving-text = { $app } ha enviado una solicitud que no se puede atender.
leaving-warning = El enlace lleva a un sitio que nadie en { $tenant } ha comprobado. Ábralo solo si lo conoce y no introduzca allí su contraseña.
leaving-go = Ir a { $destination }

## Accounts of Ethereum
siwe-link = Iniciar sesión con Ethereum
siwe-wallet = Usar el monedero de este navegador
siwe-needs = Necesita un monedero con una cuenta de Ethereum. Si este navegador no tiene ninguno, escriba la dirección de la cuenta, firme el mensaje en su monedero y pegue la firma.
siwe-address = Dirección de su cuenta
siwe-address-hint = 0x y 40 caracteres.
siwe-chain = Cadena
siwe-next = Mostrar el mensaje que debe firmar
siwe-text = Firme este mensaje con su monedero. No cuesta nada y no envía ninguna transacción.
siwe-sign = Firmar con el monedero
siwe-message = Mensaje
siwe-signature = Firma
siwe-submit = Enviar la firma
siwe-other = Usar otra dirección
siwe-cancelled = El monedero no ha respondido. Inténtelo de nuevo, o firme el mensaje en otro lugar y pegue la firma.
siwe-missing = Ningún monedero de este navegador tiene esa cuenta. Elija la cuenta en el monedero, o pegue la firma.
login-by-wallet = con un monedero
error-siwe-address = Eso no es una dirección de Ethereum. Compruebe si hay errores: las mayúsculas cuentan.
error-siwe-chain = Elija una de las cadenas que se ofrecen aquí.
error-siwe-late = Ese mensaje es demasiado antiguo o ya se usó. Empiece de nuevo.
error-siwe-failed = La firma no es de esa cuenta para este mensaje. Firme exactamente este mensaje.
error-siwe-unavailable = La firma no se puede comprobar ahora. Inténtelo de nuevo dentro de unos minutos, o inicie sesión de otra manera.
error-siwe-not-enough = Aquí se pide más que una firma. Inicie sesión de otra manera.
notice-siwe-not-linked = Aquí todavía no hay ninguna cuenta conectada con esa dirección. Inicie sesión como siempre; a partir de entonces su cuenta se abre también con ella.

## Personas de confianza y recuperación por ellas
account-guardians = Personas de confianza
account-guarding = Quién confía en usted
guardians-text = Las personas de confianza tienen una cuenta aquí y usted las ha elegido. Cuando usted ya no puede iniciar sesión, confirman juntas que es usted. Una sola no puede hacer nada, y ninguna ve su cuenta.
guardians-are-ready = { $count ->
    [one] Cuenta una persona de confianza y hacen falta { $threshold }. Pueden ayudarle.
   *[other] Cuentan { $count } personas de confianza y hacen falta { $threshold }. Pueden ayudarle.
}
guardians-are-not-ready = { $count ->
    [0] Aún no cuenta ninguna persona de confianza. Invite a algunas y guarde abajo cuántas hacen falta; hasta entonces no pueden ayudarle.
    [one] Cuenta una persona de confianza. Guarde abajo cuántas hacen falta cuando hayan aceptado suficientes; hasta entonces no pueden ayudarle.
   *[other] Cuentan { $count } personas de confianza. Guarde abajo cuántas hacen falta; hasta entonces no pueden ayudarle.
}
guardian-active = persona de confianza
guardian-inactive = no puede iniciar sesión por ahora
guardian-invited = invitación enviada
guardian-since = Persona de confianza desde el { $day }
guardian-invited-on = Invitación del { $day }
guardian-remove = Quitar a { $email }
guardian-email = Dirección de correo de una persona en la que usted confía
guardian-invite = Invitar
guardian-rules = Qué hace falta
guardian-threshold = Personas de confianza que deben confirmar
guardian-wait = Horas de espera después
guardian-wait-hint = De { $least } a { $most } horas. En ese tiempo le avisamos por todos los medios y usted puede cancelar.
guardian-rules-submit = Guardar
guardians-asked = Alguien pide a sus personas de confianza que recuperen su cuenta.
guardians-asked-text = Si no fue usted, cancélelo ahora. Quien reciba la confirmación de suficientes personas de confianza puede elegir una contraseña nueva.
guardians-too-few = Cuentan menos personas de confianza de las necesarias: no pueden recuperar su cuenta.
guardians-look = Verlo
guardians-confirmed = { $count } de { $most } han confirmado
guardians-ready-at = contraseña nueva posible a partir del
guarding-text = Estas personas confían en que usted confirme que son ellas cuando ya no pueden iniciar sesión.
guarding-none = Usted no es persona de confianza de nadie.
guarding-wait = Alguien espera su respuesta:
guarding-invited = { $name } le pide que sea su persona de confianza: que confirme, cuando ya no pueda iniciar sesión, que es esa persona. Usted no ve nada de su cuenta.
guarding-accept = Aceptar
guarding-decline = Rechazar
guarding-leave = Dejar de ser persona de confianza de { $name }
guarding-asked = Alguien dice ser { $name } y pide su ayuda, desde
guarding-call = Llame primero a { $name } a un número que usted conozca y pida que le lea el código. No tome nunca el código de un mensaje ni de una voz que no conozca.
guarding-answered = Usted ya ha respondido. Si responde otra vez, cuenta la última respuesta.
guarding-code = El código que { $name } le lee
guarding-confirm = Confirmar
guarding-refuse = Es otra persona
forgot-guardians = No puedo leer mi correo: preguntar a mis personas de confianza
recovery-ask-title = Preguntar a sus personas de confianza
recovery-ask-text = Escriba su nombre de usuario o su dirección de correo. Si la cuenta tiene personas de confianza, les pedimos que confirmen que es usted.
recovery-ask-submit = Preguntar
recovery-title = Recuperación por sus personas de confianza
recovery-text = Si la cuenta { $account } tiene personas de confianza, ya se les ha preguntado. Llámelas y lea este código a cada una:
recovery-code-text = Una persona de confianza que escribe este código confirma este navegador y ningún otro. Siga con este navegador: solo aquí podrá elegir una contraseña nueva.
recovery-confirmed = { $count ->
    [one] Una persona de confianza ha confirmado.
   *[other] { $count } personas de confianza han confirmado.
}
recovery-reached = Han confirmado suficientes personas de confianza. Podrá elegir aquí una contraseña nueva a partir del
recovery-come-back = Vuelva a esta página en este navegador para ver cómo va.
recovery-ready = Sus personas de confianza han confirmado. Elija una contraseña nueva.
recovery-ready-hint = Se cierra su sesión en todas partes, y se quitan llaves de acceso, aplicaciones, números de teléfono, códigos de respaldo, cuentas conectadas y navegadores de confianza. Configure después lo que necesite.
recovery-submit = Establecer la contraseña
recovery-over = Ha pasado demasiado tiempo o se canceló. Puede volver a preguntar.
recovery-again = Empezar de nuevo
recovery-cancel-title = ¿Cancelar la recuperación?
recovery-cancel-text = Alguien pide a sus personas de confianza que recuperen su cuenta. Si no fue usted, cancélelo.
recovery-cancel-submit = Cancelar la recuperación
recovery-cancel-hint = Su cuenta sigue como está. Si lo pidió usted, cierre esta página.
notice-guardian-invited = Hemos enviado una invitación.
notice-guardian-removed = Se quitó la persona de confianza.
notice-guardian-rules-saved = Se guardó lo que hace falta.
notice-guardian-accepted = Usted es ahora persona de confianza.
notice-guardian-left = Usted no es persona de confianza ahí.
notice-recovery-confirmed = Su confirmación cuenta.
notice-recovery-refused = Hemos anotado que es otra persona.
notice-recovery-cancelled = La recuperación está cancelada.
error-guardian-self = Escriba la dirección de otra persona.
error-guardian-known = Esta dirección ya está invitada.
error-guardians-full = Tiene { $count } personas de confianza, que es el máximo. Quite antes a una.
error-apps-full = Tiene { $count } aplicaciones, que es el máximo. Quite antes una.
error-threshold = Elija al menos { $count }, y no más que las personas de confianza que cuentan.
error-wait = Elija de { $count } a 720 horas.
error-recovery-code-wrong = Ese código no es correcto. Pida que se lo lean otra vez.
error-recovery-over = Esta recuperación ha terminado, o empezó antes de que usted fuera persona de confianza.
done-recovery-cancelled-title = La recuperación está cancelada
done-recovery-cancelled-text = Su cuenta sigue como está. Si alguien puede conocer su contraseña, cámbiela.
done-recovered-title = Ha recuperado su cuenta
done-recovered-text = Inicie sesión con la contraseña nueva y vuelva a configurar sus llaves de acceso y la verificación en dos pasos.
text-recovery = Sus personas de confianza están recuperando su cuenta en { $tenant }. Si no fue usted, cancélelo desde nuestro correo o inicie sesión.
mail-guardian-invitation-subject = { $tenant }: { $person } le pide que sea persona de confianza
mail-guardian-invitation-text = { $person } confía en usted y le pide que sea su persona de confianza en { $tenant }: que confirme, cuando ya no pueda iniciar sesión, que es esa persona. Inicie sesión con la cuenta que tiene esta dirección, o registre una, y responda en un plazo de { $duration }.
mail-guardian-invitation-button = Responder
mail-guardian-invitation-ignore = Si no conoce a { $person }, ignore este mensaje.
mail-guardian-accepted-subject = { $tenant }: { $person } es ahora su persona de confianza
mail-guardian-accepted-text = { $person } ha aceptado ser persona de confianza de su cuenta en { $tenant }.
mail-guardian-accepted-button = Ver sus personas de confianza
mail-guardian-accepted-ignore = Si no ha invitado a nadie, quite a esa persona y cambie su contraseña.
mail-guardian-left-subject = { $tenant }: { $person } no es su persona de confianza
mail-guardian-left-text = { $person } ha rechazado la invitación o ya no es persona de confianza de su cuenta en { $tenant }. Compruebe si quedan suficientes.
mail-guardian-left-button = Ver sus personas de confianza
mail-guardian-left-ignore = Por lo demás, no tiene que hacer nada.
mail-guardian-rules-subject = { $tenant }: han cambiado las reglas de sus personas de confianza
mail-guardian-rules-text = Ha cambiado cuántas personas de confianza deben confirmar o cuánto espera después su cuenta en { $tenant }.
mail-guardian-rules-button = Ver sus personas de confianza
mail-guardian-rules-ignore = Si no fue usted, deshágalo y elija una contraseña nueva.
mail-recovery-asked-subject = { $tenant }: { $person } quizá necesite su ayuda
mail-recovery-asked-text = Alguien dice ser { $person } y ya no puede iniciar sesión en { $tenant }. Llame primero a { $person } a un número que usted conozca y pida que le lea el código. No lo tome nunca de un mensaje. Después inicie sesión y escríbalo.
mail-recovery-asked-button = Responder
mail-recovery-asked-ignore = Si no consigue hablar con { $person }, no haga nada: su silencio no cambia nada.
mail-recovery-opened-subject = { $tenant }: alguien pide a sus personas de confianza que recuperen su cuenta
mail-recovery-opened-text = Alguien, esperamos que usted, ha pedido a sus personas de confianza que recuperen su cuenta en { $tenant }. Cuando hayan confirmado suficientes y haya pasado el tiempo de espera, esa persona podrá elegir una contraseña nueva. Si no fue usted, cancélelo aquí.
mail-recovery-opened-button = Cancelar la recuperación
mail-recovery-opened-ignore = Si fue usted, no tiene que hacer nada: lea el código a sus personas de confianza.
mail-recovery-confirmed-subject = { $tenant }: una persona de confianza ha confirmado la recuperación de su cuenta
mail-recovery-confirmed-text = { $person } ha confirmado que usted pide la recuperación de su cuenta en { $tenant }. Si no fue usted, cancélelo aquí.
mail-recovery-confirmed-button = Cancelar la recuperación
mail-recovery-confirmed-ignore = Si fue usted, no tiene que hacer nada.
mail-recovery-refused-subject = { $tenant }: una persona de confianza ha rechazado la recuperación de su cuenta
mail-recovery-refused-text = { $person } dice que no es usted quien pide la recuperación de su cuenta en { $tenant }. Si no fue usted, cancélelo aquí.
mail-recovery-refused-button = Cancelar la recuperación
mail-recovery-refused-ignore = Si fue usted, llame a { $person }.
mail-recovery-reached-subject = { $tenant }: su cuenta se va a recuperar
mail-recovery-reached-text = Han confirmado suficientes personas de confianza. Dentro de { $duration }, se podrá elegir una contraseña nueva para su cuenta en { $tenant } en el navegador desde el que se pidió. Si no fue usted, cancélelo antes.
mail-recovery-reached-button = Cancelar la recuperación
mail-recovery-reached-ignore = Si fue usted, vuelva a la página en el navegador en el que lo pidió.
mail-recovered-subject = { $tenant }: su cuenta se ha recuperado
mail-recovered-text = Sus personas de confianza han confirmado, y su cuenta en { $tenant } tiene una contraseña nueva. Se ha cerrado su sesión en todas partes, y se quitó todo lo demás que abría la cuenta.
mail-recovered-button = Iniciar sesión
mail-recovered-ignore = Si no fue usted, pida enseguida una contraseña nueva y avise a { $tenant }.

## Invitados
anonymous-submit = Continuar como invitado
guest-name = Invitado
notice-here-as-guest = Está aquí como invitado. Si crea una cuenta, conserva lo que tiene aquí; si inicia sesión en otra cuenta, se queda atrás.
account-keep = Conservar su cuenta
keep-text = Está aquí como invitado: solo este navegador abre su cuenta, y se elimina cuando deja de usarla. Indique una dirección de correo para conservarla. Un enlace en el correo le permite elegir cómo iniciar sesión; ábralo en este navegador.
done-guest-elsewhere-title = Abra el enlace en el navegador que utilizó
done-guest-elsewhere-text = Conserva la cuenta de un invitado, que está en el navegador en el que lo pidió. Ábralo allí. Si no pidió un enlace, ignore el correo.
done-guest-deleted-title = Su cuenta se está eliminando
done-guest-deleted-text = Se ha cerrado su sesión, y lo que se guardaba sobre usted se eliminará en unos minutos.

# Support staff who act for people
acting-label = Acceso del soporte
acting-text = Está actuando como { $account }.
acting-end = Terminar
acting-account = Ir a la cuenta
account-support = Acceso del soporte
support-about = Si necesita ayuda, el equipo de soporte puede actuar en su cuenta por tiempo limitado. Ve lo que usted ve y no puede cambiar cómo inicia sesión. Puede terminarlo aquí en cualquier momento.
support-none = El soporte no ha actuado en su cuenta.
support-to-approvals = Responder a la solicitud del soporte
support-reason = Motivo:
support-asks = { $person }, del soporte, pide actuar en su cuenta
support-what = El soporte ve lo que usted ve en las aplicaciones. No puede cambiar su contraseña, su dirección ni cómo inicia sesión, y no permite nada en su nombre. Puede terminarlo en cualquier momento.
support-end = Terminar el acceso
support-waiting = le espera
support-ready = aprobado, sin empezar
support-active = en curso
support-refused = rechazado
support-expired = no usado a tiempo
support-ended = terminado
notice-support-ended = El soporte ya no puede actuar en su cuenta.
login-impersonated = El soporte empezó a actuar por usted
impersonate-title = Actuar por una persona
impersonate-text = Va a actuar en la cuenta de { $account }.
impersonate-hint = Todo lo que haga queda registrado con su nombre ({ $account }). Su propia sesión se mantiene y vuelve cuando termine.
impersonate-submit = Empezar
done-impersonation-link-title = Este enlace no funciona aquí
done-impersonation-link-text = Funciona una vez, durante cinco minutos, y solo en el navegador en que ha iniciado sesión la persona que lo pidió. Pida otro enlace.
mail-impersonation-asked-subject = { $tenant }: el soporte pide actuar en su cuenta
mail-impersonation-asked-text = { $person }, del soporte de { $tenant }, pide actuar en su cuenta por tiempo limitado. Inicie sesión para ver el motivo y aprobar o rechazar.
mail-impersonation-asked-button = Ver la solicitud
mail-impersonation-asked-ignore = Si no hace nada, nadie obtiene acceso.
mail-impersonation-started-subject = { $tenant }: el soporte actúa en su cuenta
mail-impersonation-started-text = { $person }, del soporte de { $tenant }, ha empezado a actuar en su cuenta por tiempo limitado. Puede ver el motivo y terminarlo en su cuenta.
mail-impersonation-started-button = Ver o terminar
mail-impersonation-started-ignore = Si no necesita ayuda del soporte, termínelo y avísenos.
mail-impersonation-ended-subject = { $tenant }: el soporte actuó en su cuenta
mail-impersonation-ended-text = { $person }, del soporte de { $tenant }, actuó en su cuenta. Ya ha terminado. Puede ver el motivo en su cuenta.
mail-impersonation-ended-button = Ver
mail-impersonation-ended-ignore = Si no necesitaba ayuda del soporte, avísenos.
support-minutes = Durante { $duration }.

## Recovery by a proven factor

signin-for-recovery = Demuestre primero que es usted. Después elegirá la contraseña nueva.
recover-others = o demuestre de otra manera que es usted
recover-sms = Usar un código por mensaje de texto
recover-passkey = Usar una llave de acceso
recover-start-again = Volver a todas las opciones
error-phone-alone-not-enough = Un código por mensaje de texto no basta por sí solo para esta cuenta, que exige la verificación en dos pasos. Use otra opción.
text-password-changed = La contraseña de su cuenta en { $tenant } ha cambiado. Si no fue usted, elija otra de inmediato con el enlace de contraseña olvidada de la página de inicio de sesión.

## Registration by a mailed code

register-by-code = Usar un código por correo, sin contraseña
register-code-sent = Hay un mensaje en camino a { $email }. Escriba aquí el código que contiene. Si ya tiene una cuenta, siga el mensaje.
register-name-text = { $email } es su dirección. ¿Cómo se llama?
mail-registration-code-subject = { $tenant }: su código para crear una cuenta
mail-registration-code-text = Este es el código para crear su cuenta en { $tenant }. Escríbalo en la página que lo pidió y no se lo dé a nadie. Sirve una sola vez, durante { $duration }.
mail-registration-code-button = Su código
mail-registration-code-ignore = Si no pidió un código, ignore este mensaje. Sin el código no se crea ninguna cuenta.

## Preview of branding and texts
preview-title = Vista previa del aspecto
preview-text = Vea las páginas y los correos antes de guardar su aspecto. Nada de lo que escriba aquí se conserva.
preview-page = Página o correo
preview-scheme = Colores
preview-light = Claro
preview-dark = Oscuro
preview-width = Pantalla
preview-wide = Ordenador
preview-phone = Teléfono
preview-organization = Organización, por su nombre corto
preview-accent = Color de acento
preview-radius = Redondez de las esquinas, en píxeles
preview-font = Tipo de letra
preview-font-system = La del sistema
preview-font-humanist = Humanista
preview-font-geometric = Geométrica
preview-font-rounded = Redondeada
preview-font-serif = Con serifas
preview-font-monospace = De ancho fijo
preview-logo = Dirección del logotipo
preview-sender = Remitente de los correos
preview-texts = Textos propios en este idioma
preview-texts-hint = Uno por línea: la clave, un signo igual, el texto.
preview-submit = Mostrar
preview-frame = Vista previa
preview-mark = Esto es una vista previa. Nada en ella funciona.
