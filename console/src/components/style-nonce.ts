/** The nonce that the server allows styles by; empty while Vite serves. */
export const styleNonce: string =
  document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
