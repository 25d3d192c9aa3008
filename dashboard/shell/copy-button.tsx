import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

const shownMs = 2_000

/** Copies a text; without a label it is a small icon beside what it copies. @param what names it for who does not see it */
export function CopyButton({ value, name, label }: { value: string; name: string; label?: string }) {
  const words = useWords(sharedWords)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = (): void => void copyText(value).then(setCopied)
  const Icon = copied ? IconCheck : IconCopy
  const said = copied ? words.copied : words.copy
  if (label !== undefined) {
    return (
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={copy}>
        <span aria-live="polite">{copied ? words.copied : label}</span>
      </Button>
    )
  }
  return (
    <Tooltip label={said}>
      <ActionIcon variant="subtle" color="gray" size={36} onClick={copy} aria-label={`${said}: ${name}`}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** On a page over plain http, as a service in a local network often is, there is no clipboard but this one. */
async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true })
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}
