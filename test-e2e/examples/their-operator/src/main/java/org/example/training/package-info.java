/** An operator that runs TrainingJobs on parts of GPUs. */
package org.example.training;
