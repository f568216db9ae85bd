/** A body of parts as clients send it, and its content type. */
export async function multipart(
  parts: Readonly<Record<string, string | Uint8Array | object>>,
): Promise<{ readonly text: Buffer; readonly headers: { readonly 'content-type': string } }> {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string' || part instanceof Uint8Array) {
      form.set(name, new Blob([part as Uint8Array<ArrayBuffer>]), 'file.bin')
    } else form.set(name, new Blob([JSON.stringify(part)], { type: 'application/json' }))
  }
  const response = new Response(form)
  const type = response.headers.get('content-type')!
  return { text: Buffer.from(await response.arrayBuffer()), headers: { 'content-type': type } }
}
