import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

type Json = Readonly<Record<string, unknown>>

const document = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8')) as Json

/** Keywords below which a schema only states rules between fields; the fields themselves are described elsewhere. */
const rules = new Set(['allOf', 'not', 'if', 'then', 'else', 'contains', 'dependentSchemas', 'examples'])

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the object itself, or the one that its $ref refers to. */
function resolved(part: unknown): Json {
  if (!isObject(part)) return {}
  if (typeof part['$ref'] !== 'string') return part
  const target = part['$ref'].split('/').slice(1)
  return { ...resolved(target.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), document)), ...part }
}

interface Described {
  readonly path: string
  readonly description: unknown
}

/** Returns everything that must have a description, with its path in the document. */
function describedParts(): Described[] {
  const parts: Described[] = []
  const add = (path: string, part: unknown): void => {
    parts.push({ path, description: resolved(part)['description'] })
  }
  const addProperties = (path: string, schema: unknown): void => {
    if (Array.isArray(schema)) for (const [index, each] of schema.entries()) addProperties(`${path}/${index}`, each)
    if (!isObject(schema)) return
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties' && isObject(value)) {
        for (const [name, property] of Object.entries(value)) {
          add(`${path}/properties/${name}`, property)
          addProperties(`${path}/properties/${name}`, property)
        }
      } else if (!rules.has(keyword)) addProperties(`${path}/${keyword}`, value)
    }
  }
  const addResponse = (path: string, response: unknown): void => {
    add(path, response)
    const { headers = {}, content = {} } = resolved(response)
    for (const [name, header] of entries(headers)) add(`${path}/headers/${name}`, header)
    for (const [type, media] of entries(content)) addProperties(`${path}/content/${type}`, media)
  }

  add('/info', document['info'])
  for (const tag of document['tags'] as Json[]) add(`/tags/${String(tag['name'])}`, tag)
  for (const [path, operations] of entries(document['paths'])) {
    for (const [method, operation] of entries(operations)) {
      const { summary, parameters, requestBody, responses } = operation as Json
      const at = `${method.toUpperCase()} ${path}`
      parts.push({ path: `${at}/summary`, description: `${String(summary)}.` })
      if ('description' in (operation as Json)) add(`${at}/description`, operation)
      for (const parameter of parameters as Json[]) add(`${at}/parameters/${String(resolved(parameter)['name'])}`, parameter)
      if (requestBody !== undefined) add(`${at}/requestBody`, requestBody)
      for (const [status, response] of entries(responses)) addResponse(`${at}/responses/${status}`, response)
    }
  }
  for (const [kind, components] of entries(document['components'])) {
    for (const [name, component] of entries(components)) {
      const path = `/components/${kind}/${name}`
      if (kind === 'responses') addResponse(path, component)
      else add(path, component)
      if (kind === 'schemas') addProperties(path, component)
    }
  }
  return parts
}

const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

const parts = describedParts()
const textOf = ({ description }: Described): string => (typeof description === 'string' ? description : '')
const pathsOf = (some: readonly Described[]): string[] => some.map(({ path }) => path)

describe('the OpenAPI document', () => {
  it('describes every tag, operation, parameter, body, response, header, schema and property', () => {
    expect(parts.length).toBeGreaterThan(1500)
    expect(pathsOf(parts.filter((part) => textOf(part).trim() === ''))).toEqual([])
  })

  it('describes them in sentences', () => {
    const sentence = /^(?:[A-Z0-9`]|(?:true|null)\b).*\.$/s
    expect(pathsOf(parts.filter((part) => textOf(part) !== '' && !sentence.test(textOf(part))))).toEqual([])
  })

  it('describes them without clauses that hide the subject', () => {
    const clause = /\b(?:what|who|whom|whoever|whatever|whichever)\b/i
    expect(pathsOf(parts.filter((part) => clause.test(textOf(part))))).toEqual([])
  })

  it('references shared components for every response that is not 2xx', () => {
    const inline = entries(document['paths']).flatMap(([path, operations]) =>
      entries(operations).flatMap(([method, operation]) =>
        entries((operation as Json)['responses'])
          .filter(([status, response]) => Number(status) >= 300 && typeof (response as Json)['$ref'] !== 'string')
          .map(([status]) => `${method.toUpperCase()} ${path}: ${status}`),
      ),
    )
    expect(inline).toEqual([])
  })
})
