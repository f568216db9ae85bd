/** A value as JSON that was written already: whoever writes a body takes it as it is. */
export class Json {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
