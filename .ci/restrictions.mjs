/** @typedef {{ in: string | string[], except?: string[], message: string, tests?: true, types?: true,
 *   imports?: string | string[], globals?: string[], properties?: string[] }} Restriction */

const network = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource']
const environment = ['process.env', 'globalThis.process']
const httpClients = '^(undici($|/)|(node:)?(https?|http2)$)'
const serverPackage = '(^@groundwork/server($|/)|(^|/)server/)'

const settings = 'Settings are read by server/config.ts and passed as parameters.'
const outbound = 'Requests leave through server/outbound, which guards their addresses.'
const database = 'Modules access the database through withTransaction and select (server/context.ts), which set the organization.'
const cliSettings = 'Settings are read by main.ts and passed as parameters.'
const sdkFiles = 'The SDK has no dependency and runs in all environments with fetch: it imports its own files only.'
const sdkTypes = 'The SDK imports only types of the contract. Values are generated into sdk/routes.ts.'
const sdkGlobals = ['process', 'Buffer', 'global', 'require', '__dirname', '__filename', 'setImmediate', 'window', 'document']

/**
 * What the code of a folder or file must not use. `except` lists folders and files below `in`.
 * - `imports`: a regular expression, or patterns in the style of .gitignore; `types` permits type imports
 * - `globals`: global variables
 * - `properties`: `property`, or `object.property`
 * - `tests`: also applies to tests
 * @type {readonly Restriction[]}
 */
export const restrictions = [
  { in: 'api', imports: ['*', '!zod', '!./*', '!../*'], message: 'The contract imports zod only.' },
  { in: 'api', globals: network, message: outbound },
  { in: 'api', properties: environment, message: settings },
  { in: ['api', 'e2e'], tests: true, imports: serverPackage, message: 'This workspace uses the built program only.' },

  { in: 'server', except: ['server/http'], imports: '^@?fastify($|/)', message: 'Fastify stays in server/http.' },
  {
    in: 'server',
    except: ['server/http', 'server/main.ts', 'server/program.ts'],
    imports: '(^|/)http/',
    message: 'Only the composition root (server/main.ts, server/program.ts) imports server/http.',
  },
  { in: 'server', except: ['server/outbound'], imports: httpClients, message: outbound },
  { in: 'server', except: ['server/outbound'], globals: network, message: outbound },
  { in: 'server', except: ['server/config.ts'], imports: '^(node:)?process$', message: settings },
  { in: 'server', except: ['server/config.ts'], properties: environment, message: settings },
  { in: 'server', imports: '(^|/)testing/', message: 'The program does not import the tools of its tests.' },
  {
    in: 'server',
    imports: '^onnxruntime-node($|/)',
    types: true,
    message: 'server/knowledge/embed/onnx-runtime.ts loads the runtime, after it has disabled its telemetry.',
  },
  {
    in: 'server',
    except: ['server/context.ts', 'server/program.ts', 'server/cli.ts', 'server/db', 'server/jobs', 'server/http/idempotency.ts'],
    properties: ['db', 'pool', 'sessionPool'],
    message: database,
  },
  { in: 'server/jobs', imports: ['../**', '!../db/**', '!../lib/**', '@groundwork/*'], message: 'jobs imports only db and lib.' },
  {
    in: ['server/context.ts', 'server/contacts', 'server/proposals'],
    imports: '(^|/)(knowledge|platform\\.ts)(/|$)',
    message: 'Contacts and proposals do not depend on knowledge bases: they use the services of server/context.ts.',
  },
  { in: 'server/lib', imports: ['../**'], message: 'lib imports no module.' },
  { in: 'server/knowledge', imports: '(^|/)subscriptions\\.ts$', message: 'Only the composition root passes on the subscribers.' },

  { in: 'sdk', except: ['sdk/generate.ts'], imports: '^@groundwork/api$', types: true, message: sdkTypes },
  { in: 'sdk', except: ['sdk/generate.ts', 'sdk/testing.ts'], imports: ['*', '!./*', '!@groundwork/api'], message: sdkFiles },
  {
    in: 'sdk',
    except: ['sdk/generate.ts'],
    globals: [...sdkGlobals, 'XMLHttpRequest'],
    message: 'The SDK runs in Node, browsers and edge runtimes.',
  },

  {
    in: 'cli',
    except: ['cli/operator.ts'],
    imports: serverPackage,
    message: 'The command line uses the SDK. Only operator.ts calls the operator commands of the program.',
  },
  { in: 'cli', imports: httpClients, message: 'Requests are sent by the SDK.' },
  { in: 'cli', globals: ['fetch'], message: 'Requests are sent by the SDK.' },
  { in: 'cli', imports: '^(node:)?process$', message: cliSettings },
  { in: 'cli', except: ['cli/main.ts'], properties: environment, message: cliSettings },

  {
    in: 'dashboard',
    imports: [
      '@groundwork/api',
      '@groundwork/api/*',
      '!@groundwork/api/counter-signature',
      '!@groundwork/api/countries',
      '!@groundwork/api/currencies',
      '!@groundwork/api/money',
      '!@groundwork/api/proposal-states',
      '!@groundwork/api/source-types',
    ],
    types: true,
    message: 'The dashboard imports types of the contract. Its values would load a validator in every browser.',
  },
  { in: 'dashboard', imports: '(^@groundwork/server($|/)|(^|/)(server|cli)/)', message: 'The dashboard uses the program through the SDK.' },
]

/**
 * Folders in order, lowest layer first: each imports only from those before it. `types` permits type imports from all; `all` requires
 * that the list names every folder.
 * @type {readonly { in: string, order: string[][], types?: true, all?: true }[]}
 */
export const layers = [
  {
    in: 'server/knowledge',
    order: [
      ['extract', 'chunk', 'embed', 'rerank', 'video', 'render'],
      ['index'],
      ['engine'],
      ['uploads', 'rows', 'crawl', 'ingest', 'sources'],
      ['retrievals', 'search', 'evaluations', 'reindex', 'preview', 'bases'],
      ['answers'],
    ],
    all: true,
  },
  { in: 'server', order: [['identity', 'mail', 'members', 'organizations', 'setup']], types: true },
]
