import { openSecretKey, type SecretKeyOptions } from './secret-key.ts'
import { openSharedFiles, type SharedFilesOptions } from './shared-files.ts'

/**
 * Checks that key, files and database belong together before anything is done with them.
 * @returns the secret key
 * @throws Error that names the setting at fault
 */
export async function openInstallation(options: SecretKeyOptions & SharedFilesOptions): Promise<string> {
  const secretKey = await openSecretKey(options)
  await openSharedFiles(options)
  return secretKey
}
