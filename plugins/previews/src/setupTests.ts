import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// Conditions are waited for; a slow machine must not fail what holds.
configure({ asyncUtilTimeout: 15_000 });
