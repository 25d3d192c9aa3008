import type { SecretKeys } from '../lib/secrets.ts'
import { openSecretKey, type SecretKeyOptions } from './secret-key.ts'
import { openSharedFiles, type SharedFilesOptions } from './shared-files.ts'

/**
 * Checks that secret key, files and database belong together, before anything uses them.
 * @returns the secret key, and the previous one while it is rotated
 * @throws Error that names the wrong setting
 */
export async function openInstallation(options: SecretKeyOptions & SharedFilesOptions): Promise<SecretKeys> {
  const secretKey = await openSecretKey(options)
  await openSharedFiles(options)
  return secretKey
}
