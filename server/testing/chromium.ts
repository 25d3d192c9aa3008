import { accessSync, constants } from 'node:fs'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of a local Chromium from CHROMIUM_PATH or the usual places; undefined if there is none, and tests that need it are skipped. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
})
