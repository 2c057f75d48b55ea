//! How do tasks that are already taken apart become a plan that tracks itself? Four
//! stages: sequence and prioritise, bind tools, generate hypotheses, inject the tracker.
