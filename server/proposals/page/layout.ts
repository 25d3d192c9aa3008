import type { ProposalWords } from '../words/words.ts'
import { html, withoutBidi, type Html } from './html.ts'

interface Layout {
  readonly words: ProposalWords
  readonly title: string
  /** `#rrggbb`; null for the default. */
  readonly color: string | null
  readonly body: Html
  /** Whether the page can be answered, which the script makes more comfortable. */
  readonly script: boolean
}

/** Returns a whole page. */
export function layout({ words, title, color, body, script }: Layout): string {
  const accent = color === null ? '' : `?accent=${color.slice(1)}`
  return html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${withoutBidi(title)}</title>
        <link rel="stylesheet" href="/p/assets/page.css${accent}" />
        ${script ? html`<script type="module" src="/p/assets/page.js"></script>` : null}
      </head>
      <body>
        ${body}
      </body>
    </html> `.html
}

/** Returns a page with nothing but a message. */
export const messagePage = (words: ProposalWords, { heading, text }: { heading: string; text: string }): string =>
  layout({
    words,
    title: heading,
    color: null,
    script: false,
    body: html`<main>
      <h1>${heading}</h1>
      <p>${text}</p>
    </main>`,
  })
