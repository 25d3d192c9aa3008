import { queryName, typeOf, type QueryParameter, type Schema } from './contract-source.ts'

/** The part of the OpenAPI document that the generator reads. */
export interface Document {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  operationId: string
  summary: string
  description?: string
  'x-reads'?: boolean
  parameters: QueryParameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content }>
}

interface Method extends Operation {
  httpMethod: string
  path: string
  /** Its name on the client: resources, then the action. */
  name: string[]
}
interface Tree {
  [name: string]: Tree | Method
}

/** Resources that `client.ts` extends by hand. */
const extendedByHand = new Set(['uploads'])

/**
 * Returns the source of `routes.ts`, generated from the OpenAPI document. The name of a method follows from its path:
 *
 * - Names in a path are resources (`bases.sources`) if an id follows them in some path, if they are paged, or if several
 *   methods share the path. Any other last name is an action (`proposals.void`, `bases.search`), and so is a single name if its
 *   POST changes nothing (`search`).
 * - A POST action of a collection that its records have too ends with `Many` (`contacts.revertMany`).
 * - On a resource, the HTTP method gives the action: POST create, PATCH update, PUT replace, DELETE delete, and GET list, or
 *   get for an id or a resource that cannot be listed.
 * - Parameters are the ids in the order of the path, the body, the query and the options. They are optional if the request is valid
 *   without them.
 *
 * Routes with binary bodies or event streams get no method. Routes that return a file or CSV return its `Response`.
 */
export function routesSource(document: Document): string {
  const tree: Tree = {}
  for (const method of methods(document)) place(tree, method)
  const roots = Object.entries(tree).toSorted(([a], [b]) => a.localeCompare(b))
  const generated = roots.map(([name]) => name).filter((name) => !extendedByHand.has(name))
  return [
    '// Generated from the route table by npm run sdk:generate. Do not edit.',
    "import type * as Api from './contract.ts'",
    "import { paged } from './paging.ts'",
    "import { call, segment, type RequestOptions, type Transport } from './transport.ts'",
    ...roots.map(([name, node]) => `\nexport const ${name} = (transport: Transport) => ${nodeSource(node, '')}`),
    '\nexport class Resources {',
    ...generated.map((name) => `  readonly ${name}: ReturnType<typeof ${name}>`),
    '',
    '  constructor(transport: Transport) {',
    ...generated.map((name) => `    this.${name} = ${name}(transport)`),
    '  }',
    '}',
    '',
  ].join('\n')
}

function methods({ paths }: Document): Method[] {
  const entries = Object.entries(paths).map(([path, operations]) => ({
    path,
    operations: Object.entries(operations).filter(
      ([, operation]) => takesJson(operation) && (answersJson(operation) || answersFile(operation)),
    ),
  }))
  const collections = new Set(
    entries.flatMap(({ path }) => [...path.matchAll(/\/\{\w+\}/g)].map(({ index }) => namesOf(path.slice(0, index)).join('.'))),
  )
  for (const { path, operations } of entries)
    if (operations.some(([, operation]) => isPaged(operation))) collections.add(namesOf(path).join('.'))
  const named = entries.flatMap(({ path, operations }) =>
    operations.map(([httpMethod, operation]): Method => {
      const names = namesOf(path)
      const isOne = path.endsWith('}')
      const isCollection = !isOne && collections.has(names.join('.'))
      // A single name is a resource, as in organizations.create, unless its POST changes nothing, as in search.
      const isAction = !isOne && !isCollection && operations.length === 1 && (names.length > 1 || operation['x-reads'] === true)
      return { ...operation, httpMethod, path, name: isAction ? names : [...names, actionOf(httpMethod, isCollection)] }
    }),
  )
  const ofRecords = new Set(named.flatMap(({ path, name }) => (path.includes('{') ? [name.join('.')] : [])))
  return named.map((method) =>
    method.httpMethod === 'post' && !method.path.includes('{') && ofRecords.has(method.name.join('.'))
      ? { ...method, name: [...method.name.slice(0, -1), `${method.name.at(-1)}Many`] }
      : method,
  )
}

const actionOf = (httpMethod: string, isCollection: boolean): string =>
  httpMethod === 'get' && isCollection ? 'list' : (actions[httpMethod] ?? httpMethod)

const actions: Record<string, string> = { get: 'get', post: 'create', patch: 'update', put: 'replace', delete: 'delete' }

/** Returns the names in a path after the version, as identifiers. */
const namesOf = (path: string): string[] =>
  path
    .split('/')
    .slice(2)
    .filter((part) => !part.startsWith('{'))
    .map((part) => part.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase()))

const isPaged = ({ parameters }: Operation): boolean =>
  parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'cursor')

type Content = Record<string, { schema?: Schema }>
const isJson = (content: Content | undefined): boolean => content === undefined || 'application/json' in content
const takesJson = ({ requestBody }: Operation): boolean => isJson(requestBody?.content)
const answerOf = ({ responses }: Operation): Content | undefined =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content
const answersJson = (operation: Operation): boolean => isJson(answerOf(operation))
const answersFile = (operation: Operation): boolean => {
  const content = answerOf(operation) ?? {}
  return '*/*' in content || 'text/csv' in content
}

/**
 * Adds a method to the tree.
 * @throws Error if two routes have the same name
 */
function place(tree: Tree, method: Method): void {
  let at = tree
  for (const [depth, name] of method.name.entries()) {
    const found = at[name]
    const isLast = depth === method.name.length - 1
    if (isLast ? found !== undefined : found !== undefined && isMethod(found))
      throw new Error(`two routes have the name ${method.name.join('.')}`)
    if (isLast) at[name] = method
    else at = at[name] = (found as Tree | undefined) ?? {}
  }
}

const isMethod = (node: Tree | Method): node is Method => typeof node['operationId'] === 'string'

function nodeSource(node: Tree | Method, indent: string): string {
  if (isMethod(node)) return methodSource(node, indent)
  const inner = `${indent}  `
  const entries = Object.entries(node).map(
    ([name, child]) => `${isMethod(child) ? comment(child, inner) : ''}${inner}${name}: ${nodeSource(child, inner)},\n`,
  )
  return `${indent === '' ? '(' : ''}{\n${entries.join('')}${indent}}${indent === '' ? ')' : ''}`
}

function comment({ httpMethod, path, summary, description }: Method, indent: string): string {
  const lines = [`${summary}: ${httpMethod.toUpperCase()} ${path}`, ...(description === undefined ? [] : [description])]
  return lines.length === 1
    ? `${indent}/** ${lines.join('')} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function methodSource(method: Method, indent: string): string {
  const { httpMethod, operationId, parameters, path, requestBody } = method
  const isOptional = requestBody?.required === false
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const address = path.includes('{') ? `\`${path.replace(/\{(\w+)\}/g, '${segment($1)}')}\`` : `'${path}'`
  const given = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`),
    ...(requestBody === undefined ? [] : [`body${isOptional ? '?' : ''}: ${jsonType(requestBody.content)}`]),
    ...(query.length === 0 ? [] : [`query${query.some(({ required }) => required) ? '' : '?'}: Api.${queryName(operationId)}`]),
    'options?: RequestOptions',
  ]
  const sent = [
    `method: '${httpMethod.toUpperCase()}'`,
    `path: ${address}`,
    ...(method['x-reads'] ? ['reads: true'] : []),
    ...(query.length === 0 ? [] : ['query']),
    ...(requestBody === undefined ? [] : ['body']),
  ]
  if (answersFile(method)) return `(${given.join(', ')}) =>\n${indent}  transport.receive({ ${sent.join(', ')} }, options)`
  const answer = answerOf(method)
  const result = isPaged(method)
    ? `paged<${itemType(answer)}>(transport, ${address}, query, options)`
    : `call<${answer === undefined ? 'void' : jsonType(answer)}>(transport, { ${sent.join(', ')} }, options)`
  return `(${given.join(', ')}) =>\n${indent}  ${result}`
}

const jsonType = (content: Content): string => typeOf(content['application/json']?.schema ?? {}, 'Api.')

/** The type of the records in a list, which is an array or an object with the array in `data`. */
function itemType(content: Content | undefined): string {
  const list = content?.['application/json']?.schema
  return typeOf(list?.items ?? list?.properties?.['data']?.items ?? {}, 'Api.')
}
