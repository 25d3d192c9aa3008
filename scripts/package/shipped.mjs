import { isLegal, isNeeded } from '../needed.mjs'

/** Declarations, source maps, sources in TypeScript, Flow types, tests, build records, and hidden files but those in a cache. */
const never = /\.(?:map|[cm]?ts|tsx|flow|tsbuildinfo)$|\.test\.[a-z]+$|(?:^|\/)\.(?!cache\/)/
const tests = /^(?:tests?|__tests__)\//

/** Returns whether a file of a package belongs into the packaged program. @param path within the package */
export function isShipped(name, path, platform) {
  if (isLegal(path) || path === 'package.json') return true
  if (name.startsWith('@groundwork/')) return isOwnShipped(path)
  return isNeeded(name, path, platform) && !never.test(path) && !tests.test(path)
}

/** Of the workspaces: what is built, and the SQL, page and document files that it reads. */
function isOwnShipped(path) {
  if (path === 'openapi.json') return true
  if (path.startsWith('node_modules/') || /(?:^|\/)(?:former-database|frozen|testing)\//.test(path)) return false
  return path.startsWith('dist/') ? !never.test(path) : /\.(?:sql|typ|css)$|\/assets\//.test(path)
}
