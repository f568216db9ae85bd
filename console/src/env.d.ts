interface ImportMetaEnv {
  /** The client id of an app for `npm run console:dev`, whose origin is not that of the server. */
  readonly VITE_CLIENT_ID?: string
}
