import { formatDecimal } from '../lib/decimals.ts'
import { counted, type Messages } from './messages.ts'

const count = counted('en')

/** Validation errors by field of the API. They say what to enter. */
const en = {
  chooseOne: 'Choose at least one option.',
  takenOther: 'This value is already in use. Enter a different one.',
  invalidOther: 'This value is not valid. Correct it and try again.',
  most: {
    characters: count({ one: 'Use no more than # character.', other: 'Use no more than # characters.' }),
    items: count({ one: 'Add no more than # entry.', other: 'Add no more than # entries.' }),
    number: (limit: number): string => `Enter a number no greater than ${limit.toLocaleString()}.`,
  },
  least: {
    characters: count({ one: 'Enter at least # character.', other: 'Enter at least # characters.' }),
    items: count({ one: 'Add at least # entry.', other: 'Add at least # entries.' }),
    number: (limit: number): string => `Enter ${limit.toLocaleString()} or more.`,
  },
  needed: {
    email: 'Enter an email address, a phone number, or a first and last name.',
    expectedSourceIds: 'Enter the expected text, or choose the sources that contain the answer.',
    totalAmount: 'Enter an amount, or add line items.',
  },
  taken: {
    email: 'This email address already belongs to a member or has a pending invitation.',
    externalId: 'Another record already has this external ID. Enter a different one.',
    name: 'This name is already in use. Enter a different one.',
    slug: 'Another organization already uses this name in its URLs. Enter a different one.',
    domains: 'One of these domains already belongs to another company. Remove it and try again.',
    vatId: 'Another company already has this VAT ID. Check the number.',
    options: 'Some records still use this option. Update those records first.',
    type: 'Some values cannot be converted to this type. Correct or clear them first.',
    expiresAt: 'This date has passed. Choose a later date.',
    answer: 'This question has already been answered. Reload the page to see the answer.',
    recipients: 'A recipient is no longer available. Choose another contact.',
    contactId: 'This contact was deleted. Choose another contact.',
    status: 'The status has changed since you opened this page. Reload the page and try again.',
  },
  invalid: {
    email: 'Enter a valid email address, such as name@example.com.',
    emails: 'Enter a valid email address, such as name@example.com.',
    replyTo: 'Enter a valid email address, such as name@example.com.',
    phone: 'Enter a phone number with its country code, such as +44 20 7946 0018.',
    phones: 'Enter a phone number with its country code, such as +44 20 7946 0018.',
    url: 'Enter the URL of a public page, such as https://example.com.',
    domains: 'Enter domains without https:// or a path, such as example.com.',
    language: 'Enter a language code, such as en, de or pt-BR.',
    country: 'Enter a two-letter country code, such as GB or DE.',
    timeZone: 'Choose a time zone from the list, such as Europe/London.',
    currency: 'Enter a three-letter currency code, such as EUR or USD.',
    defaultCurrency: 'Enter a three-letter currency code, such as EUR or USD.',
    slug: 'Use lowercase letters, digits and hyphens, such as acme-hotels.',
    color: 'Enter a hex color with six digits, such as #1d4ed8.',
    reminderDays: 'Enter days as whole numbers separated by commas, such as 3, 7.',
    expiryDays: 'Enter a whole number of days.',
    expiresAt: 'Choose a date in the future.',
    dueAt: 'Choose a date and time.',
    occurredAt: 'Choose a date and time that is not in the future.',
    at: 'Choose a date and time that is not in the future.',
    chunkSize: 'Enter a whole number from 64 to 2,048.',
    topK: 'Enter a whole number from 1 to 100.',
    days: 'Enter a whole number from 1 to 365.',
    similarityThreshold: 'Enter a number from 0 to 1.',
    chunkOverlap: 'Enter a number less than half the max chunk size.',
    get totalAmount() {
      return `Enter an amount, such as ${formatDecimal('1200.50')}.`
    },
    get unitPrice() {
      return `Enter a price, such as ${formatDecimal('120.50')}.`
    },
    get quantity() {
      return `Enter a quantity, such as 1 or ${formatDecimal('2.5')}.`
    },
    get quantityRange() {
      return `Enter numbers, such as 1 or ${formatDecimal('2.5')}.`
    },
    discount: 'Enter an amount such as 50 or a percentage such as 10%.',
    discountPercent: 'Enter a percentage between 0% and 100%.',
    taxRate: 'Enter a percentage between 0 and 100.',
    rate: 'Enter a percentage between 0 and 100.',
    password: 'Use 12 to 128 characters.',
    token: 'This link is no longer valid. Request a new one.',
    filter: 'This filter is not valid. Check its keys, operators and values.',
    include: 'Enter one pattern per line, such as /docs/**.',
    exclude: 'Enter one pattern per line, such as /docs/**.',
    tags: 'Each tag must be 1 to 60 characters long.',
    storageUrl: 'This file cannot be used. Choose another file.',
    sections: 'This section is too long. Shorten it, or remove a section.',
    contactId: 'Choose a contact from the list.',
    recipients: 'Check the recipients. Each one needs a valid email address.',
    baseIds: 'One of the selected knowledge bases no longer exists. Choose again.',
    sourceIds: 'One of the selected sources no longer exists. Choose again.',
    sourceId: 'The selected source no longer exists. Choose another source.',
    expectedSourceIds: 'One of the selected sources no longer exists. Choose again.',
    assigneeId: 'This member has left the organization. Choose another member.',
    ownerId: 'This member has left the organization. Choose another member.',
    companyId: 'This company was deleted. Choose another company.',
    eventTypes: 'Choose at least one event.',
    scopes: 'Choose only permissions that your own role includes.',
    customFields: 'This value does not match the field type.',
    companyDomain: 'Enter a domain, such as example.com.',
    doNotContact: 'Enter yes or no.',
    consent: 'Enter granted, denied or unknown.',
    optOut: 'Enter yes or no.',
  },
}

export const fieldMessages: Messages<typeof en> = { en }
