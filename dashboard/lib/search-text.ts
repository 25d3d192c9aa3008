import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Between two keys. */
const typingMs = 150

/** What is typed, told to the address after a short pause; it follows the address where that changes by itself, as by going back. */
export function useSearchText(q: string | undefined, tell: (q: string | undefined) => void): [string, (text: string) => void] {
  const [text, setText] = useState(q ?? '')
  const told = useRef(q)
  const tellSoon = useDebouncedCallback((typed: string) => {
    told.current = typed.trim() === '' ? undefined : typed.trim()
    tell(told.current)
  }, typingMs)
  useEffect(() => {
    if (q === told.current) return
    told.current = q
    setText(q ?? '')
  }, [q])
  return [
    text,
    (typed) => {
      setText(typed)
      tellSoon(typed)
    },
  ]
}
