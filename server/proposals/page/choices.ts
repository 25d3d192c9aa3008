import type { ProposalItem } from '@groundwork/api'
import type { Choices } from '@groundwork/api/choices'
import type { Formats } from './formats.ts'
import { html, type Html } from './html.ts'

/** The form that the inputs of lines belong to. */
export const acceptanceForm = 'acceptance'

/** Returns the choices of a form; none if it has no inputs of lines. */
export function choicesOf(form: URLSearchParams): Choices {
  if (!form.has('choices')) return {}
  const lines = [...form].flatMap(([name, value]) => (name === 'line' || /^group-\d+$/.test(name) ? [Number(value)] : []))
  const quantities = [...form].flatMap(([name, value]): [number, string][] => {
    const line = /^quantity-(\d{1,3})$/.exec(name)?.[1]
    return line === undefined ? [] : [[Number(line), value.trim()]]
  })
  return { lines, quantities: Object.fromEntries(quantities) }
}

export const hasChoices = (items: readonly ProposalItem[]): boolean =>
  items.some(({ optional, quantityRange }) => optional || quantityRange !== null)

/** Returns the inputs of a line that the recipient can choose or change; null for a fixed line. */
export function lineInputs(items: readonly ProposalItem[], line: number, { words }: Formats): Html | null {
  const item = items[line]
  if (item === undefined || !(item.optional || item.quantityRange !== null)) return null
  const { description, group, quantity, quantityRange } = item
  return html`<p class="choice">
    ${item.optional ? option(items, item, line, group === null ? words.document.optional : `${words.document.chooseOne}: ${group}`) : null}
    ${
      quantityRange === null
        ? null
        : html`<label
            ><span>${words.document.quantity}</span>
            <input
              type="number"
              form="${acceptanceForm}"
              name="quantity-${line}"
              value="${quantity}"
              min="${quantityRange.min}"
              max="${quantityRange.max}"
              step="${quantityRange.step}"
              aria-label="${words.document.quantity}: ${description}"
          /></label>`
    }
  </p>`
}

function option(items: readonly ProposalItem[], { description, group, preselected }: ProposalItem, line: number, label: string): Html {
  const type = group === null ? 'checkbox' : 'radio'
  const name = group === null ? 'line' : `group-${items.findIndex((item) => item.group === group)}`
  return html`<label
    ><input
      type="${type}"
      form="${acceptanceForm}"
      name="${name}"
      value="${line}"
      aria-label="${label}: ${description}"
      ${preselected ? html` checked` : null}
    />
    <span dir="auto">${label}</span></label
  >`
}
