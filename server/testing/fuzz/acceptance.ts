import type { TestApp } from '../app.ts'
import { allowedBodies } from './allowed.ts'
import { endpointsOf, type Document } from './document.ts'
import { newPool } from './pool.ts'
import { random } from './random.ts'
import { newSetting, sendTo, type TestSetting } from './subjects.ts'

/** Results of the bodies sent to one operation. */
export interface Acceptance {
  sent: number
  accepted: number
  /** Messages of rejections with the latest body for each. */
  readonly refusals: Map<string, string>
}

/** Bodies sent per organization, so that none reaches its limits. */
const bodiesPerSetting = 60

/**
 * Sends the same number of bodies allowed by the document to every operation with a JSON body, and counts 2xx responses.
 * Replaces ids in them by ids of existing records of their kind.
 */
export async function acceptanceOf(service: TestApp, document: Document, { bodies, seed }: { bodies: number; seed: number }) {
  const operations = endpointsOf(document).flatMap(({ method, path, operation }) => {
    const schema = operation.requestBody?.content?.['application/json']?.schema
    return schema === undefined ? [] : [{ operationId: operation.operationId, method, path, schema }]
  })
  const allowed = allowedBodies(document)
  const results = new Map<string, Acceptance>(
    operations.map(({ operationId }) => [operationId, { sent: 0, accepted: 0, refusals: new Map() }]),
  )
  let setting = await newSetting(service)
  for (let sent = 0; sent < bodies; sent += 1) {
    if (sent % bodiesPerSetting === bodiesPerSetting - 1) setting = await newSetting(service)
    const operation = operations[sent % operations.length]
    if (operation === undefined) break
    // Each body has its own numbers: a change of one schema does not change the bodies of other operations.
    const made = allowed(operation.schema, { document, random: random(seed + sent), pool: newPool(new Set()) })
    const given = JSON.parse(withIdsOf(setting, operation.operationId, JSON.stringify(made))) as Record<string, unknown>
    const body = withKnownKeys(operation.operationId, withKnownValues(withoutFiles(given)))
    const answer = await sendTo(setting, operation, body)
    if (operation.operationId === 'people.setUp') setting = await newSetting(service)
    const result = results.get(operation.operationId)
    if (result === undefined) continue
    result.sent += 1
    if (answer.status < 300) result.accepted += 1
    else result.refusals.set(`${answer.status} ${answer.body?.error?.message}`, JSON.stringify(body).slice(0, 600))
  }
  return results
}

type Body = Record<string, unknown>

/** Replaces random time zones and phone numbers, since the document cannot describe which ones exist. */
function withKnownValues({ timeZone, set, ...body }: Body): Body {
  return {
    ...withOneForm(withOneForm(body, 'email', 'emails'), 'phone', 'phones'),
    ...(timeZone !== undefined && { timeZone: typeof timeZone === 'string' ? 'Europe/Berlin' : timeZone }),
    ...(set !== undefined && { set: isObject(set) ? withKnownValues(set) : set }),
  }
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Leaves out a main value beside a list, or an empty list beside it: the document cannot describe that it is the first of the list. */
function withOneForm(given: Body, one: 'email' | 'phone', many: 'emails' | 'phones'): Body {
  const { [one]: main, [many]: list, ...body } = given
  const known = (value: unknown): unknown => (one === 'phone' && typeof value === 'string' ? '+4930123456' : value)
  const hasList = Array.isArray(list) && list.length > 0
  return {
    ...body,
    ...(hasList && { [many]: list.map((entry: Body) => ({ ...entry, value: known(entry['value']) })) }),
    ...(!hasList && list !== undefined && typeof main !== 'string' && { [many]: list }),
    ...(!hasList && main !== undefined && { [one]: known(main) }),
  }
}

/** Replaces filters of contacts, whose keys the document lists in words alone, and leaves out random cursors and `q` beside `sort`. */
function withKnownKeys(operationId: string, body: Record<string, unknown>): Record<string, unknown> {
  if (!operationId.startsWith('contact')) return body
  const { cursor: _cursor, filter, q, ...rest } = body
  return {
    ...rest,
    ...(q !== undefined && rest['sort'] === undefined && { q }),
    ...(filter !== undefined && { filter: { key: 'tags', eq: 'vip' } }),
  }
}

/** Leaves out sections with files: the document cannot describe the content of a file, and the generator makes none. */
const withoutFiles = ({ sections, ...body }: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(sections)
    ? { ...body, sections: sections.filter((section: object) => !('storageUrl' in section || 'sha256' in section)) }
    : { ...body, ...(sections !== undefined && { sections }) }

function withIdsOf({ own, companyField }: TestSetting, operationId: string, body: string): string {
  const ids: Record<string, string> = operationId.startsWith('companies.') ? { ...own, fld: companyField } : own
  return body.replace(/([a-z]{2,3})_[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/g, (id, prefix: string) => ids[prefix] ?? id)
}

/** Returns the fraction of accepted bodies, 0 to 1. */
export function acceptanceRate(results: ReadonlyMap<string, Acceptance>): number {
  const all = [...results.values()]
  return all.reduce((sum, { accepted }) => sum + accepted, 0) / all.reduce((sum, { sent }) => sum + sent, 0)
}

/** Formats one line per operation with its rejections. */
export const reportOf = (results: ReadonlyMap<string, Acceptance>): string =>
  [...results]
    .map(([name, { sent, accepted, refusals }]) =>
      [`${name.padEnd(26)} ${accepted}/${sent}`, ...[...refusals].map(([message, body]) => `    ${message}  ${body}`)].join('\n'),
    )
    .join('\n')
