import { join } from 'node:path'

/**
 * Returns a path in the evaluation data: documents, sites and strings that are not part of the repository. Returns null unless
 * EVALUATION_DATA names the folder, as `npm run test:full` does.
 */
export function evaluationPath(path: string): string | null {
  const folder = process.env['EVALUATION_DATA']
  return folder === undefined ? null : join(folder, path)
}
