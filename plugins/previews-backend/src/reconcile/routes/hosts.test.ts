import { isCoveredBy, isHostOfListener } from './hosts';

describe('isCoveredBy', () => {
  it.each([
    ['a.example.com', 'a.example.com', true],
    ['A.Example.com', 'a.example.COM', true],
    ['a.example.com', 'a.example.com.', true],
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', false],
    ['*.example.com', 'example.com', false],
    ['*.example.com', '.example.com', false],
    ['*.example.com', 'a.example.org', false],
    ['*.example.com', 'aexample.com', false],
    ['*.example.com', '*.example.com', true],
    ['*.example.com', '*.b.example.com', false],
    ['*', 'com', false],
    ['*.*.example.com', 'a.b.example.com', false],
    ['a.example.com', 'b.example.com', false],
  ])('says of the name %s and the host %s: %s', (name, host, expected) => {
    expect(isCoveredBy(name, host)).toBe(expected);
  });
});

describe('isHostOfListener', () => {
  it.each([
    ['*.example.com', 'a.example.com', true],
    ['*.example.com', 'a.b.example.com', true],
    ['*.example.com', 'example.com', false],
    ['a.example.com', 'a.example.com.', true],
    ['a.example.com', 'b.example.com', false],
  ])('says of the listener %s and the host %s: %s', (name, host, expected) => {
    expect(isHostOfListener(name, host)).toBe(expected);
  });
});
