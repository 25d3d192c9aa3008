import { accessSync, constants } from 'node:fs'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of Chromium, from CHROMIUM_PATH or a usual location. Without it, tests that need Chromium are skipped. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
})
