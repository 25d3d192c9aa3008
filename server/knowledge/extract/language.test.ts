import { expect, it } from 'vitest'
import { detectLanguage } from './language.ts'

it.each([
  ['th', 'การรับประกันสินค้ามีอายุสองปีนับจากวันที่ซื้อ'],
  ['he', 'תקופת האחריות היא שנתיים מיום הרכישה'],
  ['ko', '보증 기간은 구매일로부터 2년입니다'],
  ['ja', '保証期間は購入日から二年間です'],
  ['zh', '保修期为购买之日起两年'],
  ['ar', 'مدة الضمان سنتان من تاريخ الشراء'],
  ['fa', 'مدت ضمانت دو سال از تاریخ خرید است و شامل باتری نمی‌شود'],
  ['hi', 'वारंटी की अवधि खरीद की तारीख से दो वर्ष है'],
  ['el', 'Η εγγύηση διαρκεί δύο χρόνια από την ημερομηνία αγοράς'],
  ['ru', 'Гарантия действует два года со дня покупки'],
  ['tr', 'Garanti süresi satın alma tarihinden itibaren iki yıldır'],
  ['vi', 'Thời hạn bảo hành là hai năm kể từ ngày mua hàng'],
  ['it', 'La garanzia dura due anni dalla data di acquisto'],
  ['km', 'រយៈពេលធានាគឺពីរឆ្នាំ'],
  ['my', 'အာမခံကာလမှာ နှစ်နှစ်ဖြစ်သည်'],
  ['lo', 'ໄລຍະຮັບປະກັນແມ່ນສອງປີ'],
])('detects %s in one sentence', (language, text) => {
  expect(detectLanguage([text], [{ kind: 'paragraph', start: 0, end: text.length }], null)).toBe(language)
})

it.each([
  ['vi', 'Giá cả thế nào?'],
  ['vi', 'Chủ tịch Vingroup'],
  ['ru', 'Какой вы любите?'],
  ['ru', 'Это платно?'],
  ['uk', 'Де є вихід?'],
  [null, 'Добавка к бензин'],
  [null, 'Ọjọ́ ọ̀la'],
  [null, 'Letter from Nguyễn Văn An, 2025'],
])('detects %s in %s', (language, text) => {
  expect(detectLanguage([text], [{ kind: 'paragraph', start: 0, end: text.length }], null)).toBe(language)
})
