/// Drafts.
package enum ConfigurationDraft { 
 /// Drafts.
 package static func draft(database: String, objects: String, configurationFile: String) async throws -> String { "" } }
