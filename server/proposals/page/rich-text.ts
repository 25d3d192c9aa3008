import { textOf, type Block, type Cell, type Run } from '../../lib/rich-text.ts'
import { directionOf } from '../../pdf/layout-text.ts'
import { html, type Html } from './html.ts'

/** Returns blocks as HTML. The page has the heading of the first level. */
export const richText = (blocks: readonly Block[]): Html => html`<div class="rich">${blocks.map(blockHtml)}</div>`

function blockHtml(block: Block): Html {
  switch (block.type) {
    case 'paragraph':
      return html`<p dir="auto">${runs(block.runs)}</p>`
    case 'heading':
      return heading(block.level, html`${runs(block.runs)}`)
    case 'list': {
      const items = block.items.map((item) => html`<li>${item.map(blockHtml)}</li>`)
      const direction = directionOf(textOf([block])) ?? 'ltr'
      return block.start === null
        ? html`<ul dir="${direction}">
            ${items}
          </ul>`
        : html`<ol dir="${direction}" start="${block.start}">
            ${items}
          </ol>`
    }
    case 'quote':
      return html`<blockquote>${block.blocks.map(blockHtml)}</blockquote>`
    case 'code':
      return html`<pre dir="auto">${block.text}</pre>`
    case 'rule':
      return html`<hr />`
    default:
      return html`<table>
        <thead>
          ${row('th', block.header)}
        </thead>
        <tbody>
          ${block.rows.map((cells) => row('td', cells))}
        </tbody>
      </table>`
  }
}

function heading(level: number, content: Html): Html {
  if (level === 1) return html`<h2 dir="auto">${content}</h2>`
  return level === 2 ? html`<h3 dir="auto">${content}</h3>` : html`<h4 dir="auto">${content}</h4>`
}

const row = (name: 'td' | 'th', cells: readonly Cell[]): Html =>
  html`<tr>
    ${cells.map((cell) => (name === 'td' ? html`<td dir="auto">${runs(cell)}</td>` : html`<th scope="col" dir="auto">${runs(cell)}</th>`))}
  </tr>`

const runs = (all: readonly Run[]): Html[] => all.map(runHtml)

function runHtml({ text, strong, emphasis, struck, code, href }: Run): Html {
  let content = html`${text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))}`
  if (code === true) content = html`<code>${content}</code>`
  if (struck === true) content = html`<s>${content}</s>`
  if (emphasis === true) content = html`<em>${content}</em>`
  if (strong === true) content = html`<strong>${content}</strong>`
  return href === undefined ? content : html`<a href="${href}" rel="nofollow noopener">${content}</a>`
}
