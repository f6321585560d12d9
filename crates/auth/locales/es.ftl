### Español.

## Marco
footer = Protegido por { $tenant }
legal-policy = Política de privacidad
legal-terms = Condiciones del servicio
continue = Continuar
continue-app = Continuar a { $app }
back-to-signin = Volver a iniciar sesión

## Iniciar sesión
signin-title = Iniciar sesión
signin-to = para continuar a { $app }
signin-submit = Iniciar sesión
signin-forgot = ¿Olvidó la contraseña?
signin-register-ask = ¿Es su primera vez?
signin-register = Crear una cuenta
username-label = Correo o nombre de usuario
email-label = Correo electrónico
name-label = Nombre completo
password-label = Contraseña
password-show = Mostrar contraseña
password-hint = { $count ->
    [one] Al menos { $count } carácter.
   *[other] Al menos { $count } caracteres. Varias palabras sin relación funcionan bien.
}

## Registro
register-title = Cree su cuenta
register-submit = Crear cuenta
register-signin-ask = ¿Ya tiene una cuenta?
register-signin = Iniciar sesión
sent-title = Revise su correo
sent-hint = ¿Nada después de unos minutos? Mire en la carpeta de correo no deseado o inténtelo de nuevo.
register-sent-text = Hemos enviado un mensaje a { $email }. Abra el enlace que contiene para terminar de crear su cuenta.

## Confirmar una dirección
verify-title = Confirme su correo
verify-text = ¿Es { $email } su dirección?
verify-choose = Elija cómo iniciar sesión como { $email }.
verify-submit = Sí, confirmar
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
invite-submit = Aceptar la invitación
invite-ignore = Si no lo desea, cierre esta página. No pasará nada.

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
approvals-expires = { $count ->
    [one] Caduca en un minuto.
   *[other] Caduca en { $count } minutos.
}

## Cerrar sesión
signout-title = ¿Cerrar sesión?
signout-app = { $app } pide cerrar su sesión.
signout-text = Se cerrará su sesión de { $tenant } en este navegador.
signout-submit = Cerrar sesión
signout-stay = Para mantener la sesión, cierre esta página.
signedout-title = Ha cerrado la sesión
signedout-text = Ya puede cerrar esta ventana.

## De vuelta a la aplicación
formpost-title = Ya casi está
formpost-text = Le llevamos de vuelta a la aplicación.

## Errores y avisos de los formularios
error-wrong-credentials = El nombre de usuario o la contraseña no es correcto. Inténtelo de nuevo.
error-too-many-attempts = { $count ->
    [one] Demasiados intentos. Vuelva a intentarlo en un minuto.
   *[other] Demasiados intentos. Vuelva a intentarlo en { $count } minutos.
}
error-locked-out = { $count ->
    [one] Demasiados intentos. Espere un minuto o restablezca su contraseña.
   *[other] Demasiados intentos. Espere { $count } minutos o restablezca su contraseña.
}
error-username-missing = Escriba su correo o su nombre de usuario.
error-captcha-missing = Confirme que no es un robot.
error-captcha-wrong = La comprobación falló o tardó demasiado. Inténtelo de nuevo.
error-captcha-unknown = Ahora no se puede hacer la comprobación contra robots. Inténtelo de nuevo en un momento.
captcha-working = Comprobando que no es un robot…
captcha-done = Comprobado: no es un robot.
captcha-needs-script = Este paso necesita JavaScript: mantiene alejados a los robots. Actívelo y vuelva a cargar la página.
error-password-missing = Escriba su contraseña.
error-name-missing = Escriba su nombre.
error-email-invalid = Escriba una dirección de correo, por ejemplo usted@example.com.
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
error-user-code = Este código no es correcto o ha caducado. Mire de nuevo su dispositivo.
notice-sign-in-again = Inicie sesión de nuevo para continuar.
notice-one-more-step = Un paso más: demuestre de otra manera que es usted.
notice-password-changed = Su contraseña ha cambiado. Inicie sesión con la nueva.

## Resultados
done-email-verified-title = Correo confirmado
done-email-verified-text = Su cuenta está lista.
done-password-changed-title = Contraseña cambiada
done-password-changed-text = A partir de ahora, inicie sesión con su contraseña nueva.
done-invitation-accepted-title = Le damos la bienvenida
done-invitation-accepted-text = Ahora es miembro de la organización.
done-link-expired-title = Este enlace ya no sirve
done-link-expired-text = Ya se ha usado o es demasiado antiguo. Pida uno nuevo.
done-refused-title = Acceso no concedido
done-refused-text = No se ha compartido nada. Puede cerrar esta ventana.
done-approved-title = Permitido
done-approved-text = Puede volver a su dispositivo. Seguirá solo en un momento.

## Páginas de error
problem-request-title = Esta solicitud no se puede completar
problem-request-text = La aplicación envió algo que no podemos aceptar. Vuelva a ella e inténtelo de nuevo; si no ayuda, avise a sus responsables.
problem-not-found-title = Página no encontrada
problem-not-found-text = No hay nada en esta dirección. Compruébela o vuelva al lugar de donde vino.
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
problem-detail = Detalle
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
duration-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
}
mail-verify-subject = Confirme su correo para { $tenant }
mail-verify-text = Confirme que esta es su dirección para terminar de crear su cuenta de { $tenant }.
mail-verify-button = Confirmar correo
mail-verify-ignore = Si no ha creado una cuenta, puede ignorar este mensaje.
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
mail-locked-text = Alguien probó en { $tenant } demasiadas contraseñas erróneas para la cuenta con esta dirección. En los navegadores que no ha usado antes, el inicio de sesión se detiene durante { $duration }. Donde ya inició sesión todavía puede hacerlo, y una contraseña nueva pone fin a la pausa.
mail-locked-button = Elegir una contraseña nueva
mail-locked-ignore = Si su contraseña es buena y no la usa en ningún otro sitio, no tiene que hacer nada. Este mensaje llega solo una vez.
mail-changed-subject = { $tenant }: su contraseña ha cambiado
mail-changed-text = La contraseña de la cuenta con esta dirección acaba de cambiar en { $tenant }. Si fue usted, no tiene que hacer nada.
mail-changed-button = No fui yo
mail-changed-ignore = Si no fue usted, elija de inmediato una contraseña nueva y avise a los responsables de este servicio.
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
signin-for-invitation = para aceptar una invitación
select-signed-out = Sesión cerrada
consent-identity = Sobre usted
consent-api = En { $api }
consent-write = Puede hacer cambios
consent-foreign = { $app } no es un servicio de { $tenant }.
consent-unverified = { $app } se ha registrado por sí misma. Nadie en { $tenant } ha comprobado su nombre ni sus datos, y no es un servicio de { $tenant }.
consent-destination = Si lo permite, continuará en
consent-take-back = Puede retirar este permiso en cualquier momento:
access-title = Aplicaciones con acceso
access-none = No ha permitido a ninguna aplicación usar su cuenta.
access-remove = Retirar el acceso de { $app }
access-note = Una aplicación a la que retira el acceso lo pierde al instante y tendrá que volver a pedirlo.
leaving-title = Se ha rechazado esta solicitud
leaving-text = { $app } ha enviado una solicitud que no se puede atender.
leaving-warning = El enlace lleva a un sitio que nadie en { $tenant } ha comprobado. Ábralo solo si lo conoce y no introduzca allí su contraseña.
leaving-go = Ir a { $destination }
