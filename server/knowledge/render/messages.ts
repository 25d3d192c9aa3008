/** A fetched page for a browser to show. */
export interface ShowRequest {
  readonly url: string
  readonly status: number
  /** Headers of the response, without those for its encoding and length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The port of the proxy for every request. */
  readonly proxyPort: number
  /** Time for the page to settle; its content at that time is used. */
  readonly settleMs: number
}

/** The content of a page after it settled. */
export interface ShownPage {
  readonly html: string
  /** The URL to which its scripts would have navigated. */
  readonly movedTo: string | null
}

/** The settings of the browser; the first message to the process. */
export interface BrowserOptions {
  readonly executablePath: string
  /** For its profile and all other files; removed with the process. */
  readonly folder: string
  /** False for root, which cannot use the sandbox. */
  readonly sandbox: boolean
  /** The crawler's name within the browser's user agent. */
  readonly userAgent: string
}

export type ShowReply =
  | { readonly type: 'ready' }
  | { readonly type: 'shown'; readonly page: ShownPage }
  | { readonly type: 'failure'; readonly message: string }
