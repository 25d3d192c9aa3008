import type { APIResponse, Locator } from 'playwright-core'

/** Inputs that forms refuse, for each of their fields. */
export const inputs = {
  empty: '',
  'too long': 'long '.repeat(5_000),
  malformed: '::not valid::',
}

export const fieldsOfForms =
  'input:is([type=text],[type=email],[type=tel],[type=url],[type=password],[type=search],:not([type])):not([readonly],[disabled],[aria-haspopup]), textarea:not([readonly],[disabled])'

/** Fills in every field of a form, also beyond its maximum length. */
export async function fillAll(form: Locator, input: string): Promise<void> {
  for (const field of await form.locator(fieldsOfForms).all()) {
    if (!(await field.isVisible())) continue
    await field.evaluate((element) => element.removeAttribute('maxlength'))
    await field.fill(input)
  }
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
