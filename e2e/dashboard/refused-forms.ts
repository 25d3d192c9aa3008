import type { APIResponse, Locator } from 'playwright-core'

/** Inputs that forms refuse, for each of their fields. */
export const inputs = {
  empty: '',
  'too long': 'long '.repeat(5_000),
  malformed: '::not valid::',
}

export const fieldsOfForms =
  'input:is([type=text],[type=email],[type=tel],[type=url],[type=password],[type=search],:not([type])):not([readonly],[disabled],[aria-haspopup]), textarea:not([readonly],[disabled])'

/** Fills in every visible field of a form, also beyond its maximum length. */
export async function fillAll(form: Locator, input: string): Promise<void> {
  await form.evaluate(
    (element, { fields, text }) => {
      for (const field of element.querySelectorAll(fields)) {
        if (!field.checkVisibility({ visibilityProperty: true })) continue
        field.removeAttribute('maxlength')
        field.focus()
        // A script sets the value: to insert 25,000 characters as typed, the browser takes a second for each field.
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }
    },
    { fields: fieldsOfForms, text: input },
  )
}

/** Returns the messages of a refusal, in lower case, each with and without the name of its field. */
export async function sentencesIn(response: APIResponse): Promise<string[]> {
  if (response.ok()) return []
  const { error } = (await response.json().catch(() => ({}))) as Refusal
  const issues = [...(error?.issues ?? []), ...(error === undefined ? [] : [error])]
  return issues
    .flatMap(({ message, field = '' }) => [message, message.replace(`${field} `, '')])
    .map((message) => message.toLowerCase())
    .filter((message) => message.length > 8)
}

interface Refusal {
  error?: { message: string; field?: string; issues?: { message: string; field: string }[] }
}
