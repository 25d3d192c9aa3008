/** A page as it was fetched, to be shown by a browser. */
export interface ShowRequest {
  readonly url: string
  readonly status: number
  /** Of the reply, without those that speak of its encoding and length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Of the proxy that every request goes through. */
  readonly proxyPort: number
  /** For the page to come to rest; what it shows then is taken. */
  readonly settleMs: number
}

/** What a page showed when it had come to rest. */
export interface ShownPage {
  readonly html: string
  /** Where its scripts would have sent the reader. */
  readonly movedTo: string | null
}

/** How the browser is started; the first message to the process. */
export interface BrowserOptions {
  readonly executablePath: string
  /** For its profile and everything else that it writes; goes with the process. */
  readonly folder: string
  /** Root has to do without. */
  readonly sandbox: boolean
  /** What the crawler calls itself, within the browser's own name. */
  readonly userAgent: string
}

export type ShowReply =
  | { readonly type: 'ready' }
  | { readonly type: 'shown'; readonly page: ShownPage }
  | { readonly type: 'failure'; readonly message: string }
