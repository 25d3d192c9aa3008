import { openSecretKey, type SecretKeyOptions } from './secret-key.ts'
import { openSharedFiles, type SharedFilesOptions } from './shared-files.ts'

/**
 * Checks that secret key, files and database belong together, before anything uses them.
 * @returns the secret key
 * @throws Error that names the wrong setting
 */
export async function openInstallation(options: SecretKeyOptions & SharedFilesOptions): Promise<string> {
  const secretKey = await openSecretKey(options)
  await openSharedFiles(options)
  return secretKey
}
