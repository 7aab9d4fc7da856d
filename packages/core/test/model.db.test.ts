// Risk: for some mixture of posts, the service ends in a state that the posts do not explain.
import { testModel } from './test-model.ts';

testModel(600, 50);
