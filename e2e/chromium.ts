import { accessSync, constants } from 'node:fs'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium of this machine, by CHROMIUM_PATH or where systems keep it; undefined where there is none, and tests are skipped by name. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...usual].find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
})
