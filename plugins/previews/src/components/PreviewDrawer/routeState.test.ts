import { createProbe, createRoute } from '../../testing/certificates';
import { probeStateOf, routeStateOf } from './routeState';

describe('the state of a route', () => {
  it.each([
    ['accepted', createRoute('Accepted', { accepted: 'True' })],
    ['warning', createRoute('AcceptedByOneParent', { accepted: 'True' })],
    ['retired', createRoute('AcceptedByRetired', { accepted: 'True' })],
    ['waiting', createRoute('Pending')],
    ['blocked', createRoute('NotAllowedByListeners')],
    ['blocked', createRoute('FromTheFuture')],
    ['unknown', createRoute('SourceUnavailable', { accepted: 'Unknown' })],
    [
      'accepted',
      createRoute('Accepted', { accepted: 'True', reason: undefined }),
    ],
  ])('is %s', (expected, route) => {
    expect(routeStateOf(route)).toBe(expected);
  });
});

describe('the state of a visit', () => {
  it.each([
    ['answers', createProbe('Answered', { status: 'True' })],
    ['answers', createProbe('RedirectedAway', { status: 'True' })],
    ['warning', createProbe('TlsExpired')],
    ['warning', createProbe('FromTheFuture')],
    ['unknown', createProbe('NotProbedYet', { status: 'Unknown' })],
  ])('is %s', (expected, probe) => {
    expect(probeStateOf(probe)).toBe(expected);
  });
});
