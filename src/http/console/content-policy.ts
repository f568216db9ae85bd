/**
 * The header `Content-Security-Policy` of pages all of whose parts come from this server.
 * @param scripts what may run beside the server's files, such as `'sha256-…'`
 * @param styles what may style beside them, such as `'nonce-…'`
 * @param more further directives
 */
export function contentPolicy(
  scripts: readonly string[],
  styles: readonly string[],
  more: readonly string[] = [],
): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...scripts].join(' '),
    ['style-src', "'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
