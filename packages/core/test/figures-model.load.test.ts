// Risk: in some mixture of rows, types, classes and rates that nobody thought of, a figure is not what its rows say.
import { testFiguresModel } from './figures-model.ts';

testFiguresModel(10_000, 100);
