const hooks = `
import { writeSync } from 'node:fs'
export function resolve(specifier, context, next) {
  if (specifier.startsWith('@opentelemetry/')) writeSync(2, 'imports ' + specifier + '\\n')
  return next(specifier, context)
}`
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`

/** A command for `program`, which prints the packages of OpenTelemetry that its modules import. */
export const printsImports = [
  process.execPath,
  `--import=${dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`)}`,
  'server/dist/main.js',
] as const

/** Returns the packages that the program has printed. */
export const importedPackages = (output: string): string[] => [...output.matchAll(/^imports (\S+)$/gm)].map(([, name = '']) => name)
