package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A wrong answer.
 *
 * @param topics of the problem
 * @param problem as small as it can be made
 * @param right the reference's answer to it
 * @param answer the wrong one
 */
record Finding(Verdict verdict, List<String> topics, ObjectNode problem, JsonNode right, JsonNode answer) {}
