import { isBuiltBy, isMutable, parseImage } from './images';

const DIGEST = `sha256:${'0'.repeat(64)}`;

it.each([
  ['web', { name: 'web' }],
  ['registry.example.com:5050/web', { name: 'registry.example.com:5050/web' }],
  ['a/web:1.2', { name: 'a/web', tag: '1.2' }],
  [`a/web@${DIGEST}`, { name: 'a/web', digest: DIGEST }],
  [`a/web:1.2@${DIGEST}`, { name: 'a/web', tag: '1.2', digest: DIGEST }],
])('takes %s apart', (image, expected) => {
  expect(parseImage(image)).toEqual(expected);
});

it.each([
  ['web', true],
  ['web:latest', true],
  ['web:Main', true],
  ['web:1.2.3', false],
  ['web:latest-20261130', false],
  [`web:latest@${DIGEST}`, false],
])('says whether %s can be another image tomorrow: %s', (image, expected) => {
  expect(isMutable(parseImage(image))).toBe(expected);
});

it.each([
  ['registry.example.com/group/shop:1', true],
  ['registry.example.com/group/shop/web:1', true],
  ['registry.example.com/group/shopping/web:1', false],
  ['registry.example.com/other-group/shop:1', false],
])('says whether %s is built by group/Shop: %s', (image, expected) => {
  expect(isBuiltBy(parseImage(image), 'group/Shop')).toBe(expected);
});
