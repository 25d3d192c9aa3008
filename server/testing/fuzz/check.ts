import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { resolveReply, type Document, type Operation, type Reply, type Schema } from './document.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
}

/** Returns how a response violates the document; undefined if it conforms. The operation is undefined for undocumented requests. */
export type Check = (answer: Answer, operation: Operation | undefined) => string | undefined

/** Headers allowed on every response. */
const common = new Set(
  'connection keep-alive date content-length content-type transfer-encoding vary accept-ranges allow cache-control x-request-id x-content-type-options '
    .concat('x-accel-buffering www-authenticate retry-after ratelimit ratelimit-policy')
    .split(' '),
)
/** Headers that every response must have if they are documented for its status. Others are optional. */
const always = new Set(['etag', 'location', 'server-timing'])

/** Creates a check of responses against the document. Replies must not have undocumented fields. */
export function checker(document: Document): Check {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false })
  addFormats.default(ajv)
  ajv.addVocabulary(['components', 'discriminator'])
  ajv.addSchema({ $id: 'api', components: { schemas: mapValues(document.components.schemas, withoutAdditionalProperties) } })
  const compiled = new Map<Schema, ValidateFunction>()
  const validator = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(withoutAdditionalProperties(withRegisteredReferences(schema)))
    compiled.set(schema, known)
    return known
  }
  const error = validator({ $ref: '#/components/schemas/Error' })

  return ({ status, headers, body }, operation) => {
    if (status >= 500) return `${status}`
    if (operation === undefined) {
      if (status === 204 && headers['allow'] !== undefined) return body === '' ? undefined : 'a body in an answer to OPTIONS'
      if (![400, 401, 404, 405, 415].includes(status)) return `${status} for what is not documented`
      return against(error, body)
    }
    const reply = resolveReply(document, operation.responses[status])
    if (reply === undefined) return `${status} is not documented`
    return contentFault(reply, headers, body, validator) ?? headerFault(reply, headers)
  }
}

function contentFault(
  { content }: Reply,
  headers: Answer['headers'],
  body: string,
  validator: (schema: Schema) => ValidateFunction,
): string | undefined {
  if (content === undefined) return body === '' ? undefined : 'a body where none is documented'
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? ''
  const documented = content[type] ?? content['*/*']
  if (documented === undefined) return `the content type ${type} is not documented`
  if (type === 'text/event-stream') return eventFault(validator(documented.schema), body)
  // A file of any type is not checked, JSON neither.
  return type === 'application/json' && documented === content[type] ? against(validator(documented.schema), body) : undefined
}

/** Of a stream, what came of it before it was left: whole events and comments. */
function eventFault(validate: ValidateFunction, body: string): string | undefined {
  for (const frame of body.split('\n\n').slice(0, -1)) {
    const [, data] = /^id: \S+\nevent: \S+\ndata: (.*)$/.exec(frame) ?? []
    if (data === undefined && frame !== ':') return `not a server-sent event: ${frame.slice(0, 100)}`
    const fault = data === undefined ? undefined : against(validate, data)
    if (fault !== undefined) return fault
  }
  return undefined
}

function against(validate: ValidateFunction, body: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `the body is not JSON: ${body.slice(0, 100)}`
  }
  if (validate(value)) return undefined
  const faults = validate.errors?.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  return `the body is not as documented: ${faults?.slice(0, 3).join('; ')}`
}

function headerFault({ headers: documented = {} }: Reply, headers: Answer['headers']): string | undefined {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()))
  const missing = [...names].find((name) => always.has(name) && headers[name] === undefined)
  if (missing !== undefined) return `the header ${missing} is missing`
  const unknown = Object.keys(headers).find((name) => !names.has(name) && !common.has(name))
  return unknown === undefined ? undefined : `the header ${unknown} is not documented`
}

/** Returns the schema with its references pointing to the document's registered components. */
function withRegisteredReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')) as Schema
}

/** Returns the schema with `additionalProperties: false` on all objects. Rules in `allOf` stay open: they name only some fields. */
function withoutAdditionalProperties(schema: Schema): Schema {
  return close(schema) as Schema
}

function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close)
  if (typeof part !== 'object' || part === null) return part
  const { examples: _examples, allOf, ...rest } = part as Schema
  const mapped = { ...mapValues(rest as Record<string, unknown>, close), ...(allOf !== undefined && { allOf }) }
  return 'properties' in rest && !('additionalProperties' in rest) ? { ...mapped, additionalProperties: false } : mapped
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
