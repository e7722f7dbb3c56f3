export * from './finding';
export * from './further';
export * from './ids';
export * from './mergeRequest';
export * from './objects';
export * from './reading';
export * from './span';
export * from './stored';
