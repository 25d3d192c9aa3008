import { withoutDirectionControls } from '../../lib/direction-controls.ts'
import { escapeHtml } from '../../lib/escape-html.ts'

/**
 * A part of a message. Characters that embed, override or isolate directions are left out, because they could make an amount read
 * backwards.
 */
export type Block =
  | { readonly text: string }
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  /** A button; `note` introduces the address of the link, for programs that show no buttons. */
  | { readonly link: string; readonly label: string; readonly note: string }
  | { readonly note: string }

/** Returns the plain text of a message. */
export const toText = (blocks: readonly Block[]): string => withoutDirectionControls(`${blocks.map(textOf).join('\n\n')}\n`)

function textOf(block: Block): string {
  if ('text' in block) return block.text
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  if ('link' in block) return `${block.label}:\n${block.link}`
  return block.note
}

export interface PageOptions {
  readonly language: string
  readonly title: string
  /** Color of the button, `#rrggbb`. */
  readonly color: string
}

/** Returns a message as an HTML page without tables, images and scripts. All values are escaped. */
export function toHtml(blocks: readonly Block[], { language, title, color }: PageOptions): string {
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:24px 16px;background:#ffffff;color:#1a1a1a;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
${blocks.map((block) => htmlOf(block, color)).join('\n')}
</div>
</body>
</html>
`
}

const muted = 'color:#555555;font-size:14px;overflow-wrap:anywhere'

function htmlOf(block: Block, color: string): string {
  if ('text' in block) return `<p dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(block.text)}</p>`
  if ('facts' in block) {
    const lines = block.facts.map(([label, value]) => `<strong>${escapeHtml(label)}:</strong> <bdi>${escapeHtml(value)}</bdi>`)
    return `<p style="overflow-wrap:anywhere">${lines.join('<br>\n')}</p>`
  }
  if ('link' in block) {
    const link = escapeHtml(block.link)
    const button = `display:inline-block;padding:12px 20px;border-radius:6px;background:${escapeHtml(color)};color:#ffffff;text-decoration:none`
    return `<p><a href="${link}" style="${button}">${escapeHtml(block.label)}</a></p>
<p style="${muted}">${escapeHtml(block.note)}<br>${link}</p>`
  }
  return `<p style="${muted}">${escapeHtml(block.note)}</p>`
}
