// A loader for AppAuth-JS: it is made for bundlers, and its imports have no file extensions.

export function resolve(name, context, next) {
  const isShort = context.parentURL?.includes('/@openid/appauth/') && /^\.{1,2}\/[^.]*$/.test(name);
  return next(isShort ? `${name}.js` : name, context);
}
