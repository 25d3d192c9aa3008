import { directionControls } from '../../lib/direction-controls.ts'
import { escapeHtml } from '../../lib/escape-html.ts'

/** A piece of HTML. Only `html` and `trusted` make one. */
export interface Html {
  readonly html: string
}

/** Data for a script element, from which no text can escape. */
export const jsonData = (data: unknown): Html => trusted(JSON.stringify(data).replaceAll('<', String.raw`\u003c`))

type Value = string | number | Html | readonly Html[] | null

/**
 * Tag of a template with HTML. Escapes inserted texts, for content and for quoted attributes alike, and leaves out characters that
 * embed, override or isolate directions.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index += 1) text += toHtml(values[index] ?? null) + (strings[index + 1] ?? '')
  return { html: text }
}

/** Marks a text as HTML that the server made. */
export const trusted = (text: string): Html => ({ html: text })

function toHtml(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'object') return 'html' in value ? value.html : value.map((part) => part.html).join('')
  return escapeHtml(String(value))
}

/** Text by other people, in its own direction, so that it cannot reorder its surroundings. */
export const foreign = (text: string): Html => html`<bdi>${text}</bdi>`

const bidirectional = new RegExp(String.raw`[\u061c\u200e\u200f${directionControls}]`, 'g')

/** Removes bidirectional controls, for places without elements such as the title of the page. */
export const withoutBidi = (text: string): string => text.replace(bidirectional, '')

/** Returns paragraphs of a plain text, which are separated by empty lines. */
export const paragraphs = (text: string): Html[] =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => html`<p dir="auto" class="text">${paragraph}</p>`)
